/**
 * Words that every request holds whatever it is about. They are left out of index and request alike: they would
 * count as parts of the request that no skill explains.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and any are as at be been being but by can cannot could did do does doing done for from get gets getting
  go going got had has have having he her here hers him his how i if in into is it its itself just let like
  ll m me might more most must my need needs no not now of off on once one only or other our out own please
  re s same shall she should so some such t than that the their them then there these they this those to too
  us use used uses using ve very want wants was we were what when where which while who whom why will with
  would you your yours d don doesn didn isn also about help`.split(/\s+/),
);
