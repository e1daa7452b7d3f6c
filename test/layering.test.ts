import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  importsOf,
  keepsDoor,
  keepsEnvironment,
  keepsLayers,
  keepsNames,
  keepsPackages,
  keepsRulesOn,
  keepsShort,
  MAX_LINES,
  PROCESS_STARTERS,
  readSources,
  type SourceRule,
  startersAmong,
  TREE_KILLERS,
  treeKillersAmong,
} from './helpers/source-rules.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = readSources(root);

/** Each rule with files that break it and files that keep it, so that a rule which sees nothing is noticed. */
const RULES: Record<string, { rule: SourceRule; bad: [string, string][]; good: [string, string][] }> = {
  'src/ imports along the layers only': {
    rule: keepsLayers,
    bad: [
      ['src/skill/skill.ts', "import { Catalog } from '../catalog/catalog.js';"],
      ['src/skill/skill.ts', "import type { Catalog } from '../catalog/catalog.js';"],
      ['src/run/grant.ts', "export * from '../mcp/tool.js';"],
      ['src/run/grant.ts', "const app = await import('../app.js');"],
      ['src/run/grant.ts', "import { Catalog } from '../catalog/catalog.js';"],
      ['src/app.ts', "import { main } from './index.js';"],
      ['src/config/settings.ts', "import { buildCatalog } from '../catalog/catalog.js';"],
      ['src/errors/sanitize.ts', "import type { Settings } from '../config/settings.js';"],
      ['src/helpers/text.ts', ''],
      ['src/mcp/server.ts', "import {\n  a,\n  b,\n} from '../app.js';"],
    ],
    good: [
      ['src/mcp/tool.ts', "import { Skill } from '../skill/skill.js';\nimport { z } from 'zod';"],
      ['src/mcp/tools/skill-run.ts', "import { preview } from '../../run/preview.js';"],
      ['src/config/settings.ts', "import type { RootsFrom } from '../catalog/catalog.js';"],
      ['src/index.ts', "import { startApp } from './app.js';"],
    ],
  },
  'the supervisor is reached through its door, and its halves do not know each other': {
    rule: keepsDoor,
    bad: [
      ['src/app.ts', "import { PROTOCOL_VERSION } from '../supervisor/protocol.js';"],
      ['src/run/run-script.ts', "import type { Tail } from '../../supervisor/client/options.js';"],
      ['supervisor/child/run.ts', "import { Refusal } from '../../src/errors/refusal.js';"],
      ['supervisor/child/run.ts', "import { LIMITS } from '../client/options.js';"],
      ['supervisor/client/supervisor.ts', "import { spawnProgram } from '../child/spawn.js';"],
    ],
    good: [
      ['src/app.ts', "import { Supervisor } from '../supervisor/index.js';"],
      ['supervisor/child/run.ts', "import { Fence } from '../protocol.js';"],
    ],
  },
  'each side has a closed set of packages': {
    rule: keepsPackages,
    bad: [
      ['supervisor/child/run.ts', "import { parse } from 'yaml';"],
      ['supervisor/child/run.ts', "import fs from 'fs';"],
      ['src/app.ts', "import { execa } from 'execa';"],
      ['src/app.ts', "const mod = require('left-pad');"],
      ['src/app.ts', "import '@modelcontextprotocol/sdk/server/mcp.js';"],
    ],
    good: [
      ['supervisor/child/spawn.ts', "import { execa } from 'execa';\nimport { z } from 'zod/v4';"],
      ['src/app.ts', "import { serveStdio } from '@modelcontextprotocol/server/stdio';"],
    ],
  },
  'variables are read at the edges only': {
    rule: keepsEnvironment,
    bad: [
      ['src/run/script-env.ts', 'const home = process.env.HOME;'],
      ['src/run/script-env.ts', "const home = process['env'].HOME;"],
      ['supervisor/child/run.ts', "import { env } from 'node:process';"],
    ],
    good: [
      ['src/config/environment.ts', 'return process.env;'],
      ['src/run/script-env.ts', '// Never from process.env: the variables are passed in.\nconst a = 1;'],
    ],
  },
  'nobody switches the rules off': {
    rule: keepsRulesOn,
    bad: [
      ['src/app.ts', '// biome-ignore lint/suspicious/noImportCycles: later'],
      ['src/app.ts', '// biome-ignore lint: all of it'],
      ['src/app.ts', '// @ts-ignore'],
    ],
    good: [['src/app.ts', '// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the point']],
  },
  [`no file is longer than ${MAX_LINES} lines`]: {
    rule: keepsShort,
    bad: [['src/app.ts', 'a();\n'.repeat(MAX_LINES + 1)]],
    good: [['src/app.ts', 'a();\n'.repeat(MAX_LINES)]],
  },
  'no file is a grab-bag': {
    rule: keepsNames,
    bad: [
      ['src/utils.ts', ''],
      ['supervisor/common/time.ts', ''],
      ['src/skill/types.ts', ''],
    ],
    good: [['src/skill/skill.ts', '']],
  },
};

describe('the sources', () => {
  it('are found at all', () => {
    const paths = sources.map(({ path }) => path);
    expect(paths).toContain('src/errors/refusal.ts');
    expect(paths).toContain('supervisor/protocol.ts');
  });

  for (const [promise, { rule }] of Object.entries(RULES)) {
    it(promise, () => {
      expect(sources.flatMap(rule)).toEqual([]);
    });
  }

  it('start processes in exactly two files', () => {
    expect(startersAmong(sources)).toEqual([...PROCESS_STARTERS].sort());
  });

  it('know tree-kill in exactly one file', () => {
    expect(treeKillersAmong(sources)).toEqual([...TREE_KILLERS]);
  });

  it('are checked for import cycles by the linter, without exceptions', () => {
    const config = JSON.parse(readFileSync(`${root}/biome.json`, 'utf8'));
    expect(config.linter.rules.suspicious.noImportCycles).toBe('error');
    for (const { includes, linter } of config.overrides) {
      expect(includes.filter((glob: string) => /^(?:src|supervisor|\*\*)/.test(glob))).toEqual([]);
      expect(linter.rules.suspicious).not.toHaveProperty('noImportCycles');
    }
  });
});

describe('the rules themselves', () => {
  for (const [promise, { rule, bad, good }] of Object.entries(RULES)) {
    it.each(bad)(`${promise}: %s is caught`, (path, text) => {
      expect(rule({ path, text })).not.toEqual([]);
    });
    it.each(good)(`${promise}: %s is let through`, (path, text) => {
      expect(rule({ path, text })).toEqual([]);
    });
  }

  it('find a process module however it is imported', () => {
    const ways = [
      "import { spawn } from 'node:child_process';",
      "import cp from 'child_process';",
      "const { fork } = await import('node:child_process');",
      "const { execFile } = require('child_process');",
      "const cp = process.getBuiltinModule('node:child_process');",
      "export { execa } from 'execa';",
      "import type { ChildProcess } from 'node:child_process';",
    ];
    const files = ways.map((text, index) => ({ path: `src/${index}.ts`, text }));
    expect(startersAmong(files)).toHaveLength(ways.length);
    expect(
      startersAmong([{ path: 'src/a.ts', text: "import { readFile } from 'node:fs/promises';" }]),
    ).toEqual([]);
    expect(treeKillersAmong([{ path: 'src/a.ts', text: "import kill from 'tree-kill';" }])).toEqual([
      'src/a.ts',
    ]);
  });

  it('tell a type import from one of values', () => {
    expect(importsOf("import type { A } from './a.js';\nimport { type B } from './b.js';")).toEqual([
      { specifier: './a.js', typeOnly: true },
      { specifier: './b.js', typeOnly: false },
    ]);
  });
});
