import { describe, expect, it } from 'vitest';
import { inspectSkillMd } from '../../src/skill/inspect-skill-md.js';
import { makeTree, skillMd } from '../helpers/skill-tree.js';

/** What the specification says to the SKILL.md of a skill in the directory `pdf-tools`, as `severity rule place`. */
async function judge(lines: string, body = 'Body\n') {
  const root = makeTree({ 'pdf-tools/SKILL.md': skillMd(lines, body) });
  const inspection = await inspectSkillMd(`${root}/pdf-tools`);
  return inspection?.departures.map(({ severity, rule, at }) => `${severity} ${rule} ${at}`);
}

const GOOD = 'name: pdf-tools\ndescription: Reads PDFs.';

describe('the specification', () => {
  it('has nothing against a skill of its form', async () => {
    expect(
      await judge(
        `${GOOD}\nlicense: MIT\ncompatibility: Any.\nallowed-tools: Bash(git:a, b) Read\nmetadata:\n  version: "1.0"`,
      ),
    ).toEqual([]);
    expect(await judge(`name: ${'a'.repeat(64)}\ndescription: ${'é'.repeat(1_024)}`)).toEqual([]);
    expect(await judge(GOOD, 'line\n'.repeat(500))).toEqual([]);
  });

  it.each([
    ['description: x', ['error name 1:1']],
    ['name: PDF\ndescription: x', ['error name 2:7']],
    ['name: -pdf\ndescription: x', ['error name 2:7']],
    ['name: a--b\ndescription: x', ['error name 2:7']],
    ['name: café\ndescription: x', ['error name 2:7']],
    [`name: ${'a'.repeat(65)}\ndescription: x`, ['error name 2:7']],
    [`name: pdf-tools\ndescription: ${'x'.repeat(1_025)}`, ['error description 3:14']],
    [`${GOOD}\ncompatibility: ${'x'.repeat(501)}`, ['error compatibility 4:16']],
    [`${GOOD}\ncompatibility: 3`, ['error compatibility 4:16']],
    [`${GOOD}\nlicense: [MIT]`, ['error license 4:10']],
    [`${GOOD}\nallowed-tools: [Read, Bash]`, ['warning allowed-tools 4:16']],
    [`${GOOD}\nallowed-tools: Read, Bash`, ['warning allowed-tools 4:16']],
    [`${GOOD}\nallowed-tools: 7`, ['error allowed-tools 4:16']],
    [`${GOOD}\nmetadata: x`, ['error metadata 4:11']],
    [`${GOOD}\nmetadata:\n  version: 1.0`, ['warning metadata 5:12']],
    [`${GOOD}\nversion: 1`, ['warning unknown-field 4:1']],
    [`${GOOD}\nmcp-host: {version: 1}`, ['warning unknown-field 4:1']],
    [`${GOOD}\nmetadata:\n  mcp-host: {version: 1}`, []],
  ])('judges %j', async (lines, expected) => {
    expect(await judge(lines)).toEqual(expected);
  });

  it('advises a short body, and one that is there at all', async () => {
    expect(await judge(GOOD, 'line\n'.repeat(501))).toEqual(['warning body 505:1']);
    expect(await judge(GOOD, '\n')).toEqual(['warning body 4:1']);
  });

  it('has no say where the head does not parse', async () => {
    expect(await judge('name: [')).toBeUndefined();
    expect(await inspectSkillMd('/nonexistent')).toBeUndefined();
  });
});
