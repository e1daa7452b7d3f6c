import type { Problem } from '../skill/problem.js';
import type { Skill } from '../skill/skill.js';

/** Where the roots came from. */
export type RootsFrom = 'MCP_SKILLS_PATH' | 'arguments' | 'SKILLS_DIR' | 'default';

/** One finished scan. Immutable; skills sorted by name (code unit order), problems by path. */
export interface Catalog {
  readonly skills: readonly Skill[];
  readonly problems: readonly Problem[];
  /** By directory name, compared under NFC. */
  find(name: string): Skill | undefined;
  /** Names a caller may have meant, at most 20: near spellings and skills whose frontmatter bears that name. */
  nearNames(name: string): readonly string[];
}
