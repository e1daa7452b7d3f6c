import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.js';
import { makeSkillLoad } from '../../src/mcp/tools/skill-load.js';
import { admitRun } from '../../src/run/admit.js';
import { Grant } from '../../src/run/grant.js';
import { sortScripts } from '../../src/run/script-state.js';
import type { Skill } from '../../src/skill/skill.js';
import { scan } from '../helpers/scan.js';
import { makeSettings } from '../helpers/settings.js';
import { makeDirectory, nodeScript, writeSkill } from '../helpers/skills.js';

const settings = makeSettings();
const grant = new Grant(settings);
const root = makeDirectory();
let catalog: Catalog;
let skill: Skill;

const REASONS = {
  'scripts/gone.js': 'scripts/gone.js: is not in the bundle',
  'scripts/out.js': 'scripts/out.js: resolves outside the skill',
  '../up.js': '../up.js: it has a . or .. segment',
};

beforeAll(async () => {
  const directory = writeSkill(root, 'tools', {
    run: ['scripts/here.js', ...Object.keys(REASONS)].map((script) => nodeScript(script)),
    files: { 'scripts/here.js': '' },
  });
  symlinkSync('/etc/hostname', path.join(directory, 'scripts/out.js'));
  catalog = await scan([root]);
  skill = catalog.find('tools') as Skill;
});

const admit = (script: string) =>
  admitRun(
    skill,
    { script, args: [], stdin: undefined },
    {
      settings,
      grant,
      scrub: { state: 'scrubbed' },
      readFence: () => Promise.resolve({ level: 'namespace', network: 'host' }),
    },
  );

describe('a declared script that cannot run as the skill is', () => {
  it('is listed as unavailable with its reason [tools.list]', () => {
    const { scripts, unavailable } = sortScripts(skill, grant, settings.interpreters);
    expect(scripts.map(({ script }) => script)).toEqual(['scripts/here.js']);
    expect(Object.fromEntries(unavailable.map(({ script, reason }) => [script, reason]))).toEqual(REASONS);
  });

  it('is shown by skill_load as not runnable [tools.load]', async () => {
    const tool = makeSkillLoad({ settings, catalog: () => Promise.resolve(catalog), grant });
    const { scripts } = await tool.call({ name: 'tools' }, { signal: new AbortController().signal });
    expect(scripts).toHaveLength(4);
    expect(scripts).toContainEqual({
      script: 'scripts/here.js',
      interpreter: 'node',
      runnableHere: true,
    });
    expect(scripts).toContainEqual({
      script: 'scripts/gone.js',
      interpreter: 'node',
      runnableHere: false,
    });
    expect(scripts).toContainEqual(expect.objectContaining({ script: '../up.js', runnableHere: false }));
  });

  it('is refused in the words of the listing, not as undeclared', async () => {
    for (const [script, reason] of Object.entries(REASONS)) {
      await expect(admit(script)).rejects.toThrow(`the declared script cannot run: ${reason}`);
    }
    await expect(admit('scripts/other.js')).rejects.toThrow(/is not declared by skill tools/);
    await expect(admit('scripts/here.js')).resolves.toMatchObject({ script: 'scripts/here.js' });
  });
});
