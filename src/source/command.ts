import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandSpec } from '../config/source-spec.js';
import { redactSecrets } from '../errors/redact.js';
import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';
import { findProgram } from '../process/find-program.js';
import type { ToolRunner } from '../process/tool-command.js';
import { mapBounded } from '../skill/map-bounded.js';
import { SKILL_MD } from '../skill/skill-md.js';
import { toSkillName } from '../skill/skill-name.js';
import { describeSync } from './describe-sync.js';
import type { GenerationRecord, Generations } from './generations.js';
import { readJsonOutput, takeField } from './read-json-output.js';
import type { SyncOutcome } from './source.js';

/** All that a command sees of our variables. */
const ALLOWED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'USER', 'SHELL'];

/** What one call may print, bytes. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

const MAX_SKILLS = 2_000;
const MAX_WARNINGS = 100;
const MAX_MESSAGE_CHARACTERS = 200;

// The tools' supervisor has eight slots: other sources shall find some of them free.
const PARALLEL = 4;

/** Directory in the tree under which the skills are written. */
const BASE = 'skills';

/** What the sync of a command source works with. Only for who holds the source's lock. */
export interface CommandSync {
  readonly spec: CommandSpec;
  readonly runner: Pick<ToolRunner, 'run'>;
  readonly generations: Generations;
  readonly variables: ReadonlyMap<string, string>;
  readonly home: string | undefined;
  /** Of one call, ms. */
  readonly timeoutMs: number;
  /** Ms since 1970. */
  readonly now: () => number;
  readonly step: (what: string) => void;
  readonly signal?: AbortSignal;
}

/** Asks the program for its skills and writes them down. Throws a Refusal; what was there before then stays. */
export async function syncCommand(sync: CommandSync): Promise<SyncOutcome> {
  const { spec, generations, now, step } = sync;
  const { name: generation, tree } = await generations.begin();
  try {
    const before = await generations.current();
    step('listing');
    const warnings: string[] = [];
    const names = readNames(spec, readJsonOutput(await runCommand(sync, spec.list)), warnings);
    const base = join(tree, BASE);
    await mkdir(base);
    let done = 0;
    const kept = await mapBounded(names, PARALLEL, async (name) => {
      try {
        const text = await fetchText(sync, name);
        await mkdir(join(base, name));
        await writeFile(join(base, name, SKILL_MD), text);
        return [name];
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        warnings.push(`${name}: ${error.message}`);
        return [];
      } finally {
        done += 1;
        step(`${done} of ${names.length} skills`);
      }
    });
    const skills = kept.flat();
    if (skills.length === 0 && names.length > 0) {
      throw new Refusal(
        `none of its ${names.length} skills could be read: ${warnings.at(-1) ?? 'no reason given'}`,
      );
    }
    const record: GenerationRecord = {
      kind: 'cli',
      paths: ['.'],
      base: BASE,
      at: new Date(now()).toISOString(),
      skills: skills.sort(),
      warnings: warnings.slice(0, MAX_WARNINGS),
    };
    await generations.publish(generation, record);
    return describeSync(spec.id, 'synced', record, before?.record);
  } finally {
    await generations.sweep();
  }
}

function readNames(spec: CommandSpec, answer: unknown, warnings: string[]): readonly string[] {
  const list = takeField(answer, spec.namesPath);
  if (!Array.isArray(list)) {
    const where = spec.namesPath === undefined ? 'what it prints' : spec.namesPath;
    throw new Refusal(`${where} is not an array of names`);
  }
  const names = new Set<string>();
  for (const entry of list.slice(0, MAX_SKILLS)) {
    const written: unknown = typeof entry === 'string' ? entry : takeField(entry, 'name');
    // The rule for names leaves no room for an option, a path or anything else that a command could misread.
    const name = typeof written === 'string' ? toSkillName(written) : undefined;
    if (name === undefined) warnings.push(`${quote(written)} cannot name a skill; it is left out`);
    else names.add(name);
  }
  if (list.length > MAX_SKILLS) {
    warnings.push(`file-limit: it lists ${list.length} skills; the first ${MAX_SKILLS} are kept`);
  }
  return [...names];
}

async function fetchText(sync: CommandSync, name: string): Promise<string> {
  const { get, contentPath } = sync.spec;
  const output = await runCommand(sync, [...get, name]);
  // A command without a path to the content may print the text itself, or JSON that is the text.
  const text = output.toString('utf8');
  if (contentPath === undefined && !/^\s*"/.test(text)) return text;
  const content = takeField(readJsonOutput(output), contentPath);
  if (typeof content === 'string') return content;
  throw new Refusal(`${contentPath ?? 'what it prints'} is not a text`);
}

async function runCommand(sync: CommandSync, command: readonly string[]): Promise<Buffer> {
  const { spec, runner, variables, home, timeoutMs, signal } = sync;
  const [program = '', ...args] = command;
  const expanded = home === undefined ? program : program.replace(/^~(?=\/)/, () => home);
  const file = await findProgram(expanded, variables.get('PATH'));
  if (file === undefined) {
    throw new Refusal(`${quote(program)} is no program on PATH`, { hint: 'name it by its absolute path' });
  }
  const env = Object.fromEntries(
    ALLOWED.flatMap((name) => {
      const value = variables.get(name) ?? (name === 'HOME' ? home : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const outcome = await runner.run({
    name: spec.id,
    file,
    args,
    cwd: await chooseDirectory(home),
    env,
    timeoutMs,
    ...(signal !== undefined && { signal }),
  });
  const { exitCode, stdout, stderr } = outcome;
  if (stdout.length > MAX_OUTPUT_BYTES) throw new Refusal(`printed more than ${MAX_OUTPUT_BYTES} bytes`);
  if (exitCode === 0) return stdout;
  const said = toOneLine(redactSecrets(stripColours(stderr.toString('utf8'))), MAX_MESSAGE_CHARACTERS);
  throw new Refusal(
    `ended with ${exitCode === null ? 'a signal' : `code ${exitCode}`}${said === '' ? '' : `: ${said}`}`,
  );
}

/** A home that is not there is common in containers, and no reason to fail. */
async function chooseDirectory(home: string | undefined): Promise<string> {
  const found = home === undefined ? undefined : await stat(home).catch(() => undefined);
  return home !== undefined && found?.isDirectory() ? home : '/';
}

function stripColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one.
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
}

function quote(value: unknown): string {
  return toOneLine(redactSecrets(JSON.stringify(value) ?? 'nothing'), MAX_MESSAGE_CHARACTERS);
}
