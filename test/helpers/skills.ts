import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DeclaredScript, Skill } from '../../src/skill/skill.js';

/** A fresh directory with its real path; it goes with the directory of all tests. */
export function makeDirectory(prefix = 'skill-mcp-test-'): string {
  return realpathSync(mkdtempSync(path.join(tmpdir(), prefix)));
}

export interface SkillSource {
  readonly description?: string;
  /** Entries of mcp-host.run as lines of YAML, each without its leading dash. */
  readonly run?: readonly string[];
  readonly frontmatter?: string;
  readonly body?: string;
  readonly files?: Readonly<Record<string, string | Buffer>>;
}

/** Writes one skill below `root` and returns its directory. */
export function writeSkill(root: string, name: string, source: SkillSource = {}): string {
  const directory = path.join(root, name);
  mkdirSync(directory, { recursive: true });
  const run = (source.run ?? []).map((entry) => `    - ${entry.replaceAll('\n', '\n      ')}`);
  const lines = [
    '---',
    `name: ${name}`,
    `description: ${source.description ?? `The skill ${name}.`}`,
    ...(source.frontmatter === undefined ? [] : [source.frontmatter]),
    ...(run.length > 0 ? ['mcp-host:', '  version: 1', '  run:', ...run] : []),
    '---',
    source.body ?? `Instructions of ${name}.\n`,
  ];
  writeFileSync(path.join(directory, 'SKILL.md'), lines.join('\n'));
  for (const [file, content] of Object.entries(source.files ?? {})) {
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
    writeFileSync(path.join(directory, file), content);
  }
  return directory;
}

/** A node script declared in the usual way. */
export const nodeScript = (script: string, extra = ''): string =>
  `script: ${script}\ninterpreter: node${extra === '' ? '' : `\n${extra}`}`;

/** A skill as a scan would have found it, for tests that need no disk. */
export function makeSkill(overrides: Partial<Skill> = {}): Skill {
  return {
    name: 'weather',
    disableModelInvocation: false,
    source: '/skills',
    directory: '/skills/weather',
    files: [],
    bytes: 0,
    insideLinks: 0,
    declaration: { run: [], egress: [] },
    missingScripts: [],
    ...overrides,
  };
}

/** A declared script of the usual kind. */
export function makeScript(overrides: Partial<DeclaredScript> = {}): DeclaredScript {
  return { script: 'scripts/forecast.js', interpreter: 'node', timeoutMs: 60_000, env: [], ...overrides };
}
