import type { ToolDefinition } from '../tool.js';
import { type FindParts, makeFind } from './find.js';
import { makeLoad } from './load.js';
import { makeRead } from './read.js';
import { makeSources, type SourceActions } from './sources.js';

/** What the tools of this group are made of. */
export interface FindToolsParts extends FindParts {
  readonly actions: SourceActions;
}

/** The tools of the group `find`, in the order in which they are used. */
export function createFindTools(parts: FindToolsParts): readonly ToolDefinition[] {
  return [makeFind(parts), makeLoad(parts), makeRead(parts), makeSources(parts.actions)];
}
