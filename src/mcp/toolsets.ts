import type { Toolset } from '../config/settings.js';
import type { ToolDefinition } from './tool.js';

/** The tools of each group; a group that is off costs nothing. */
export type ToolGroups = Readonly<Record<Toolset, () => readonly ToolDefinition[]>>;

/** The tools of the groups that are on, in a stable order, by name. */
export function selectTools(groups: ToolGroups, on: readonly Toolset[]): ReadonlyMap<string, ToolDefinition> {
  return new Map(on.flatMap((name) => groups[name]()).map((tool) => [tool.definition.name, tool]));
}
