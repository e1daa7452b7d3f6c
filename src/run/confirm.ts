import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Settings } from '../config/settings.js';
import { Refusal } from '../errors/refusal.js';
import { digestParts, digestPlan, nameChanges, type PlanDigests, type RunPlan } from './run-plan.js';

/** Bytes of a token: what makes it unique, when it ends (ms since 1970), which plan it is for, proof of origin. */
const NONCE_BYTES = 9;
const EXPIRY_BYTES = 6;
const PLAN_BYTES = 16;
const PROOF_BYTES = 16;
const SIGNED_BYTES = NONCE_BYTES + EXPIRY_BYTES + PLAN_BYTES;

/** Previews whose parts are remembered so that a refusal can name what changed; older ones are just "changed". */
const MAX_REMEMBERED = 1_000;

const HINT = 'call again without confirm for a preview, then pass its confirmToken with confirm: true';

/** A token that was checked and belongs to one call now. */
export interface Reservation {
  /** The run has started: the token can never be used again. */
  spend(): void;
  /** Nothing was run: the token is good again, unless it was spent. */
  release(): void;
}

export interface IssuedToken {
  readonly confirmToken: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

interface Remembered {
  readonly parts: PlanDigests;
  readonly expiresMs: number;
}

/** Issues and checks the tokens by which a person's approval is bound to exactly one plan. */
export class Confirmations {
  readonly #ttlMs: number;
  readonly #key: string | Buffer;
  readonly #now: () => number;
  readonly #remembered = new Map<string, Remembered>();
  /** Nonce → end of life; a spent token stays here until it would have expired anyway. */
  readonly #used = new Map<string, number>();

  constructor(settings: Pick<Settings, 'confirmTtlMs' | 'confirmSecret'>, now: () => number) {
    this.#ttlMs = settings.confirmTtlMs;
    this.#key = settings.confirmSecret ?? randomBytes(32);
    this.#now = now;
  }

  /** A fresh token for this plan. */
  issue(plan: RunPlan): IssuedToken {
    this.#forgetExpired();
    const parts = digestParts(plan);
    const expiresMs = this.#now() + this.#ttlMs;
    const signed = Buffer.alloc(SIGNED_BYTES);
    randomBytes(NONCE_BYTES).copy(signed);
    signed.writeUIntBE(expiresMs, NONCE_BYTES, EXPIRY_BYTES);
    planBytes(parts).copy(signed, NONCE_BYTES + EXPIRY_BYTES);
    this.#remember(nonceOf(signed), { parts, expiresMs });
    const token = Buffer.concat([signed, this.#prove(signed)]).toString('base64url');
    return { confirmToken: token, expiresAt: new Date(expiresMs).toISOString() };
  }

  /**
   * Reserves a token for this plan. Throws a Refusal with TOKEN_INVALID, TOKEN_EXPIRED or TOKEN_REUSED, and
   * PLAN_CHANGED, which says what changed and ends with what `preview` gives.
   */
  reserve(token: string, plan: RunPlan, preview: () => string): Reservation {
    const signed = this.#open(token);
    const expiresMs = signed.readUIntBE(NONCE_BYTES, EXPIRY_BYTES);
    if (expiresMs <= this.#now()) throw refuse('TOKEN_EXPIRED', 'the confirmToken is too old');
    const nonce = nonceOf(signed);
    if (this.#used.has(nonce)) throw refuse('TOKEN_REUSED', 'the confirmToken has been used; one run each');
    const parts = digestParts(plan);
    if (!timingSafeEqual(signed.subarray(NONCE_BYTES + EXPIRY_BYTES), planBytes(parts))) {
      throw this.#refuseChanged(nonce, parts, preview());
    }
    this.#used.set(nonce, expiresMs);
    let isSpent = false;
    return {
      spend: () => {
        isSpent = true;
      },
      release: () => {
        if (!isSpent) this.#used.delete(nonce);
      },
    };
  }

  #refuseChanged(nonce: string, parts: PlanDigests, preview: string): Refusal {
    const before = this.#remembered.get(nonce)?.parts;
    const changes = before === undefined ? [] : nameChanges(before, parts);
    const what = changes.length === 0 ? 'the call differs' : `${changes.join(', ')} changed`;
    return new Refusal(`${what} since the preview that this confirmToken belongs to`, {
      code: 'PLAN_CHANGED',
      hint: 'nothing was run; this is what would run now',
      attachment: `preview: ${preview}`,
    });
  }

  /** The signed part of a token that this key has made. */
  #open(token: string): Buffer {
    const bytes = Buffer.from(token, 'base64url');
    const isWhole = bytes.byteLength === SIGNED_BYTES + PROOF_BYTES && bytes.toString('base64url') === token;
    if (
      isWhole &&
      timingSafeEqual(bytes.subarray(SIGNED_BYTES), this.#prove(bytes.subarray(0, SIGNED_BYTES)))
    ) {
      return bytes.subarray(0, SIGNED_BYTES);
    }
    throw refuse('TOKEN_INVALID', 'the confirmToken is not one that this server has issued');
  }

  #prove(signed: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(signed).digest().subarray(0, PROOF_BYTES);
  }

  #remember(nonce: string, entry: Remembered): void {
    this.#remembered.set(nonce, entry);
    if (this.#remembered.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#remembered.keys();
    if (oldest !== undefined) this.#remembered.delete(oldest);
  }

  #forgetExpired(): void {
    const now = this.#now();
    for (const [nonce, { expiresMs }] of this.#remembered)
      if (expiresMs <= now) this.#remembered.delete(nonce);
    for (const [nonce, expiresMs] of this.#used) if (expiresMs <= now) this.#used.delete(nonce);
  }
}

/** The refusal for a mode in which only a token counts and none was given. */
export function refuseWithoutToken(): Refusal {
  return refuse('TOKEN_INVALID', 'confirm: true counts only together with a confirmToken here');
}

function refuse(code: string, message: string): Refusal {
  return new Refusal(message, { code, hint: HINT });
}

function nonceOf(signed: Buffer): string {
  return signed.toString('base64url', 0, NONCE_BYTES);
}

function planBytes(parts: PlanDigests): Buffer {
  return Buffer.from(digestPlan(parts), 'hex').subarray(0, PLAN_BYTES);
}
