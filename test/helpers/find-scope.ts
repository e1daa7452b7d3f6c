import { EMPTY_CONFIG, type FindConfig } from '../../src/config/find-config.js';
import type { FindScope } from '../../src/find/find.js';
import type { Skill } from '../../src/skill/skill.js';
import { makeDirectory, makeSkill, type SkillSource, writeSkill } from './skills.js';

export interface FindSkillSource extends SkillSource {
  readonly disableModelInvocation?: boolean;
}

/** Skills on the disk as a scan would have found them, in the order given. */
export function makeSkills(sources: Readonly<Record<string, FindSkillSource>>): Skill[] {
  const root = makeDirectory('skill-mcp-find-');
  return Object.entries(sources).map(([name, source]) =>
    makeSkill({
      name,
      description: source.description ?? `The skill ${name}.`,
      directory: writeSkill(root, name, source),
      disableModelInvocation: source.disableModelInvocation ?? false,
    }),
  );
}

type Changes = { readonly [Key in keyof FindConfig]?: Partial<FindConfig[Key]> | FindConfig[Key] };

/** The defaults with a few changes. */
export function makeConfig(changes: Changes = {}): FindConfig {
  return {
    ...EMPTY_CONFIG,
    ...changes,
    decision: { ...EMPTY_CONFIG.decision, ...changes.decision },
    lexical: { ...EMPTY_CONFIG.lexical, ...changes.lexical },
  } as FindConfig;
}

export function makeScope(skills: readonly Skill[], config: Changes = {}, fault?: string): FindScope {
  return { skills, config: makeConfig(config), fault };
}
