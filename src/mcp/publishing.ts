import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Skill as PublishedSkill } from '@modelcontextprotocol/server/ext/skills';
import type { Catalog } from '../catalog/catalog.js';
import { makeProblem } from '../skill/make-problem.js';
import { mapBounded } from '../skill/map-bounded.js';
import type { Problem } from '../skill/problem.js';
import type { Skill } from '../skill/skill.js';
import { findGaps, findScanFault } from './publishable.js';
import { type ManifestFault, SkillManifests } from './skill-manifest.js';

/** How long a listing waits for the look at what cannot be published; later answers have it. Ms. */
const LOOK_WAIT_MS = 250;

// Each reads one SKILL.md; more would only take turns with the calls of the client.
const PARALLEL = 4;

/** Beyond this many rows nobody reads them: one says how many there are. */
const MAX_ROWS = 20;

const MAX_REASONS = 3;

/** Decides which skills are published through the Skills extension, and says of the others why not. */
export class Publishing {
  readonly #manifests = new SkillManifests();
  readonly #scanFaults = new WeakMap<Catalog, ReadonlyMap<Skill, string>>();
  // What the files say, by skill: most skills outlive a change of the catalog. Null when nothing speaks against it.
  readonly #verdicts = new WeakMap<Skill, string | null>();
  readonly #looks = new WeakMap<Catalog, Promise<unknown>>();
  readonly #waits = new WeakMap<Catalog, Promise<unknown>>();

  /** Bytes of files read so far. */
  get bytesRead(): number {
    return this.#manifests.bytesRead;
  }

  /** The entry of a skill from what is on the disk now, or why it is not published. */
  async publish(catalog: Catalog, skill: Skill): Promise<PublishedSkill | ManifestFault> {
    const scanFault = this.#scanFaultsOf(catalog).get(skill);
    if (scanFault !== undefined) return { fault: scanFault };
    const entry = await this.#manifests.read(skill);
    this.#verdicts.set(skill, 'fault' in entry ? String(entry.fault) : null);
    return entry;
  }

  /**
   * One `extension-unpublished` problem for each skill that is not published, or one for all of them. What was not
   * looked at within a quarter of a second comes with a later call.
   */
  async problems(catalog: Catalog): Promise<readonly Problem[]> {
    let look = this.#looks.get(catalog);
    if (look === undefined) {
      look = this.#look(catalog);
      this.#looks.set(catalog, look);
      this.#waits.set(catalog, Promise.race([look, setTimeout(LOOK_WAIT_MS, undefined, { ref: false })]));
    }
    await this.#waits.get(catalog);
    const scanFaults = this.#scanFaultsOf(catalog);
    const faulty = catalog.skills.flatMap((skill) => {
      const fault = scanFaults.get(skill) ?? this.#verdicts.get(skill);
      return typeof fault === 'string' ? [{ skill, fault }] : [];
    });
    return faulty.length > MAX_ROWS ? [summarize(faulty)] : faulty.map(describe);
  }

  async #look(catalog: Catalog): Promise<void> {
    const scanFaults = this.#scanFaultsOf(catalog);
    await mapBounded(catalog.skills, PARALLEL, async (skill) => {
      if (this.#verdicts.has(skill) || scanFaults.has(skill)) return;
      await setImmediate(undefined, { ref: false });
      // A mistake of ours must not cost the listing; the skill counts as published until somebody asks for it.
      const fault = await this.#manifests.judgeHead(skill).catch(() => undefined);
      if (!this.#verdicts.has(skill)) this.#verdicts.set(skill, fault ?? null);
    });
  }

  #scanFaultsOf(catalog: Catalog): ReadonlyMap<Skill, string> {
    const known = this.#scanFaults.get(catalog);
    if (known !== undefined) return known;
    const gaps = findGaps(catalog);
    const faults = new Map<Skill, string>();
    for (const skill of catalog.skills) {
      const fault = findScanFault(skill, gaps);
      if (fault !== undefined) faults.set(skill, fault);
    }
    this.#scanFaults.set(catalog, faults);
    return faults;
  }
}

interface Faulty {
  readonly skill: Skill;
  readonly fault: string;
}

function describe({ skill, fault }: Faulty): Problem {
  const detail = `served by the tools, not published through the Skills extension: ${fault}`;
  return makeProblem(skill.directory, 'extension-unpublished', detail);
}

function summarize(faulty: readonly Faulty[]): Problem {
  const examples = faulty
    .slice(0, MAX_REASONS)
    .map(({ skill, fault }) => `${skill.name} (${fault})`)
    .join('; ');
  const detail = `${faulty.length} skills are served by the tools, not published through the Skills extension, for instance ${examples}`;
  return makeProblem(faulty[0]?.skill.source ?? '', 'extension-unpublished', detail);
}
