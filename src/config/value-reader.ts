import { toOneLine } from '../errors/sanitize.js';
import type { Settings } from './settings.js';

/**
 * Reads single values and remembers what was wrong with them. A bad value gives its default and one problem that names
 * the variable, never what it holds.
 */
export class ValueReader {
  readonly problems: Settings['problems'][number][] = [];
  readonly #variables: Readonly<Record<string, string | undefined>>;

  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.#variables = variables;
  }

  /** The trimmed value; undefined when unset or blank. */
  text(name: string): string | undefined {
    const value = this.#variables[name]?.trim();
    return value === '' ? undefined : value;
  }

  /** A number within bounds (both included); `integer` refuses decimals. */
  number(name: string, rule: { min: number; max: number; fallback: number; integer: boolean }): number {
    const value = this.text(name);
    if (value === undefined) return rule.fallback;
    const number = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    const isGood = number >= rule.min && number <= rule.max && (!rule.integer || Number.isInteger(number));
    if (isGood) return number;
    const kind = rule.integer ? 'a whole number' : 'a number';
    this.report(name, `must be ${kind} from ${rule.min} to ${rule.max}; ${rule.fallback} is used`);
    return rule.fallback;
  }

  /** On or off; off when it says neither. */
  flag(name: string): boolean {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined || ['0', 'false', 'no', 'off'].includes(value)) return false;
    if (['1', 'true', 'yes', 'on'].includes(value)) return true;
    this.report(name, 'must be 1 or 0; 0 is used');
    return false;
  }

  /** One of a few words; `fault` is returned (and reported) for any other one. */
  choice<Word extends string>(name: string, words: readonly Word[], fallback: Word, fault: Word): Word {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const word = words.find((candidate) => candidate === value.toLowerCase());
    if (word !== undefined) return word;
    this.report(name, `must be one of ${words.join(', ')}; ${fault} is used`);
    return fault;
  }

  /** Adds a problem about a variable. */
  report(name: string, detail: string): void {
    // What an owner configures is a grant in the wide sense; the list of reasons has no word of its own for it.
    this.problems.push({ path: name, reason: 'grant', detail: toOneLine(detail, 300) });
  }
}
