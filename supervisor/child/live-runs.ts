import type { Containment, Subject } from './fence/fence.js';
import { sweepOnce } from './sweep.js';

/** Who is to be killed when there is no time left for anything else. */
export class LiveRuns {
  readonly #runs = new Map<number, { subject: Subject; containment: Containment }>();

  set(id: number, subject: Subject, containment: Containment): void {
    this.#runs.set(id, { subject, containment });
  }

  delete(id: number): void {
    this.#runs.delete(id);
  }

  /** SIGKILL to everything that belongs to a run, in one go and without waiting. */
  killAll(): void {
    for (const { subject, containment } of this.#runs.values()) {
      containment.kill(subject);
      sweepOnce({ ...subject, ownsGroup: true });
    }
  }
}
