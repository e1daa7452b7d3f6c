import { setImmediate as nextTurn } from 'node:timers/promises';
import { mapBounded } from '../skill/map-bounded.js';
import type { Skill } from '../skill/skill.js';
import { type Bm25f, Bm25fBuilder } from './bm25f.js';
import { readExcerpt } from './read-excerpt.js';

// libuv has four threads; more reads in flight than this only wait in memory.
const PARALLEL_READS = 12;

/** Skills that are indexed before other work gets its turn: about 10 ms. */
const SLICE = 64;

/** What is searched: the index, and the skills that its ids stand for. */
export interface IndexedSkills {
  readonly index: Bm25f;
  readonly byName: ReadonlyMap<string, Skill>;
}

/** Keeps one index for the newest list of skills. The first question to a new list waits for it, later ones do not. */
export class SkillIndex {
  #skills: readonly Skill[] = [];
  #index: Promise<IndexedSkills> | undefined;

  /** The index of these skills, in their order; the same list, element by element, is indexed once. */
  of(skills: readonly Skill[]): Promise<IndexedSkills> {
    if (this.#index === undefined || !isSame(skills, this.#skills)) {
      this.#skills = skills;
      this.#index = indexSkills(skills);
    }
    return this.#index;
  }
}

/** Reads the beginning of every skill's instructions and indexes it with name and description. Never rejects. */
async function indexSkills(skills: readonly Skill[]): Promise<IndexedSkills> {
  const builder = new Bm25fBuilder();
  for (let start = 0; start < skills.length; start += SLICE) {
    const slice = skills.slice(start, start + SLICE);
    const bodies = await mapBounded(slice, PARALLEL_READS, ({ directory }) => readExcerpt(directory));
    slice.forEach((skill, position) => {
      builder.add({
        id: skill.name,
        name: skill.frontmatterName ?? skill.name,
        description: [skill.description, skill.whenToUse].filter((text) => text !== undefined).join('\n'),
        body: bodies[position] ?? '',
      });
    });
    await nextTurn();
  }
  return { index: builder.build(), byName: new Map(skills.map((skill) => [skill.name, skill])) };
}

function isSame(a: readonly Skill[], b: readonly Skill[]): boolean {
  return a === b || (a.length === b.length && a.every((skill, position) => skill === b[position]));
}
