/** From which likelihood on an answer counts as yes. */
export interface Thresholds {
  /** The task needs a specific procedure. */
  readonly action: number;
  /** The task names a specific tool, format, template or method. */
  readonly named: number;
  /** The chosen skill fits. */
  readonly fits: number;
}

const DEFAULTS: Thresholds = Object.freeze({ action: 0.3, named: 0.5, fits: 0.3 });

/** Some of them, as somebody wrote them down. */
export type GivenThresholds = { readonly [Name in keyof Thresholds]?: number | undefined };

/**
 * Thresholds of one model. An entry of the user's wins as a whole: what it leaves out takes the default, not the value
 * that was fitted together with others it replaced.
 */
export function chooseThresholds(
  configured: GivenThresholds | undefined,
  shipped: GivenThresholds | undefined,
): Thresholds {
  const { action, named, fits } = configured ?? shipped ?? {};
  return {
    action: action ?? DEFAULTS.action,
    named: named ?? DEFAULTS.named,
    fits: fits ?? DEFAULTS.fits,
  };
}
