import type { ToolDefinition } from '../tool.js';
import { makeSkillFile } from './skill-file.js';
import { makeSkillList, type SkillListParts } from './skill-list.js';
import { makeSkillLoad } from './skill-load.js';
import { makeSkillRun, type SkillRunParts } from './skill-run.js';

/** What the tools of this group are made of. */
export type ServeParts = SkillListParts & SkillRunParts;

/** The tools of the group `serve`, in the order in which they are used. */
export function createServeTools(parts: ServeParts): readonly ToolDefinition[] {
  return [makeSkillList(parts), makeSkillLoad(parts), makeSkillFile(parts), makeSkillRun(parts)];
}
