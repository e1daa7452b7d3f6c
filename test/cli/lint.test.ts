import { spawnSync } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CommandInput } from '../../src/cli/command.js';
import { lint } from '../../src/cli/lint.js';
import { CommandLineError } from '../../src/config/command-line.js';
import { SERVER } from '../helpers/raw-server.js';
import { makeTree, plainSkill, skillMd } from '../helpers/skill-tree.js';

/** Runs the built program as an author would. */
function runLint(args: readonly string[], cwd = '/') {
  const options = { encoding: 'utf8', cwd, timeout: 60_000, env: { PATH: '/usr/bin:/bin' } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [SERVER, 'lint', ...args], options);
  return { status, stdout, stderr };
}

/** Runs the subcommand in this process, with a stderr that is a terminal or not. */
async function runInside(args: readonly string[], isTTY: boolean) {
  const output = Object.assign(new PassThrough(), { isTTY: false });
  const errors = Object.assign(new PassThrough(), { isTTY });
  const input: CommandInput = {
    arguments: args,
    start: {
      variables: {},
      packageSkills: '/nonexistent',
      nodePath: process.execPath,
      home: undefined,
      cwd: '/',
    },
    scrub: { state: 'scrubbed' },
    version: '0.0.0',
    input: Object.assign(new PassThrough(), { isTTY: false }),
    output,
    errors,
    now: Date.now,
  };
  const code = await lint.run(input);
  return { code, stdout: String(output.read() ?? ''), stderr: String(errors.read() ?? '') };
}

const SCRIPTS = [
  'name: good',
  'description: Has scripts.',
  'metadata:',
  '  mcp-host:',
  '    version: 1',
  '    run:',
  '      - {script: a.js, interpreter: node, timeout: 5, env: [API_KEY]}',
  '      - {script: b.py, interpreter: python3}',
  '      - {script: gone.js, interpreter: node}',
].join('\n');

describe('skill-mcp lint [lint.findings, lint.exit-codes]', () => {
  it('finds nothing in a good skill and says what it would run', () => {
    const root = makeTree({ 'plain/SKILL.md': plainSkill('plain') });
    expect(runLint([root])).toEqual({ status: 0, stdout: '1 skill, 0 errors, 0 warnings\n', stderr: '' });
  });

  it('names path, line and column, errors apart from warnings', () => {
    const root = makeTree({
      'broken/SKILL.md': skillMd('name: broken\ndescription: "open'),
      'colon/SKILL.md': skillMd('name: colon\ndescription: Use it for: this'),
      'other/SKILL.md': skillMd('name: another\ndescription: x\ncolour: red'),
      'small/skill.md': plainSkill('small'),
      'docs/readme.md': 'x',
      'twice/SKILL.md': plainSkill('twice'),
      'skills/twice/SKILL.md': plainSkill('twice'),
      'deep/er/est/SKILL.md': plainSkill('est'),
    });
    const { status, stdout, stderr } = runLint(['.'], root);
    expect(status).toBe(1);
    expect(stderr).toBe('');
    const lines = stdout.trimEnd().split('\n');
    const expected = [
      /^broken\/SKILL\.md:\d+:\d+: error: .* \[malformed-frontmatter\]$/,
      /^colon\/SKILL\.md:3:14: error: recovered: quote the value at 3:14 \[malformed-frontmatter\]$/,
      /^other\/SKILL\.md:2:7: error: frontmatter says "another".* \[name-mismatch\]$/,
      /^other\/SKILL\.md:4:1: warning: colour .*public validator.* \[unknown-field\]$/,
      /^small: error: found skill\.md, expected SKILL\.md \[no-skill-md\]$/,
      /^docs: warning: no SKILL\.md \[no-skill-md\]$/,
      /: error: "twice" is claimed by .* \[duplicate-name\]$/,
      /^\S+: warning: 1 more SKILL\.md .* \[not-scanned\]$/,
    ];
    for (const pattern of expected) expect(lines).toContainEqual(expect.stringMatching(pattern));
    expect(lines.at(-1)).toBe('2 skills, 5 errors, 4 warnings');
    expect(lines).toHaveLength(10);
  });

  it('explains the mcp-host block: what would run, with what, and why not', () => {
    const root = makeTree({ 'good/SKILL.md': skillMd(SCRIPTS), 'good/a.js': '', 'good/b.py': '' });
    const { status, stdout } = runLint([root]);
    expect(status).toBe(1);
    expect(stdout).toContain(`good: a.js would run with ${process.execPath}, at most 5 s, asks for API_KEY`);
    expect(stdout).toMatch(/^good: b\.py cannot run here: .*"python3"/m);
    expect(stdout).toMatch(/^good: gone\.js cannot run here: is not in the bundle$/m);
    expect(stdout).toMatch(/gone\.js: error: .*\[declared-script-missing\]/);
  });

  it('answers with one line of JSON [lint.json]', () => {
    const root = makeTree({ 'good/SKILL.md': skillMd(SCRIPTS), 'good/a.js': '', 'bad/SKILL.md': '# x' });
    const { status, stdout } = runLint(['--json', root, root]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(stdout)).toMatchObject({
      skills: 1,
      errors: 3,
      findings: expect.arrayContaining([
        {
          path: `${root}/bad/SKILL.md`,
          line: 1,
          column: 1,
          severity: 'error',
          rule: 'malformed-frontmatter',
          message: expect.stringMatching(/no frontmatter/),
        },
      ]),
      scripts: expect.arrayContaining([
        {
          skill: 'good',
          script: 'a.js',
          interpreter: 'node',
          command: [process.execPath, 'a.js'],
          timeoutMs: 5_000,
          env: ['API_KEY'],
        },
      ]),
    });
  });

  it('is an error where there is nothing to look at, and a bad command line is code 2', () => {
    expect(runLint([makeTree()]).status).toBe(1);
    expect(runLint(['/nonexistent/x'])).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/root-unreadable/),
    });
    for (const args of [[], [''], ['--nope', '/']]) {
      expect(runLint(args)).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(/^skill-mcp: [^\n]+\n$/),
      });
    }
    expect(runLint(['--help'])).toMatchObject({ status: 0, stdout: lint.usage });
  });

  it('says on a terminal how far it is, and nothing of it in a pipe', async () => {
    const root = makeTree({ 'a/SKILL.md': plainSkill('a'), 'b/SKILL.md': plainSkill('b') });
    const terminal = await runInside([root], true);
    expect(terminal).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^\r\d+ skills read.*\r\u001b\[K$/),
    });
    expect(terminal.stdout).toBe('2 skills, 0 errors, 0 warnings\n');
    expect((await runInside([root], false)).stderr).toBe('');
    await expect(runInside([], false)).rejects.toThrow(CommandLineError);
  });

  it('ends without a word when its reader has seen enough', () => {
    const root = makeTree(
      Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`s${n}/SKILL.md`, '# broken'])),
    );
    const command = `"${process.execPath}" "${SERVER}" lint "${root}" | head -n 1`;
    const { stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8', timeout: 60_000 });
    expect(stdout).toMatch(/malformed-frontmatter/);
    expect(stderr).toBe('');
  });
});
