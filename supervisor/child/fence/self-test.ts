import type { FenceOptions, Limits, RunMessage } from '../../protocol.js';
import { type Outcome, run } from '../run.js';
import { Termination } from '../termination.js';
import type { ChosenFence } from './choose.js';
import { listExpectedLimits } from './limits.js';
import { buildPermissionFlags } from './node-permission.js';
import { findUserFault } from './run-as.js';

/** A self-test that takes longer has failed: a program under too small a limit may hang for ever, ms. */
const TEST_LIMIT_MS = 3000;

const WORDS_CHARACTERS = 160;

/** What of this process a test needs. */
export interface TestGround {
  readonly blockedSlots: readonly number[];
  readonly searchPath: string;
  readonly node: string;
}

const LIMITS: Limits = {
  ...{ slots: 1, whenFull: 'refuse', streamBytes: 64 * 1024, stdinBytes: 0, maxTimeoutMs: TEST_LIMIT_MS },
  ...{ graceMs: 0, reservedNames: [], reservedPrefixes: [] },
};

/** What the program under test is: it shows its bounds, and with Node's permission model tries to break out of it. */
const PROBE = [
  'const load = require;',
  'const { readFileSync } = load("node:fs");',
  'const tries = process.permission === undefined ? [] : [',
  '  ["a file is opened", () => readFileSync(process.execPath)],',
  '  ["a program is started", () => load("node:child_process").spawnSync(process.execPath, ["-v"])],',
  '];',
  'for (const [what, act] of tries) {',
  '  let code = "";',
  '  try { act(); } catch (error) { code = error.code; }',
  '  if (code !== "ERR_ACCESS_DENIED") { console.error(what + " although nobody permitted it"); process.exit(1); }',
  '}',
  'if (process.platform === "linux") {',
  '  console.log(["status", "limits"].map((name) => readFileSync("/proc/self/" + name, "utf8")).join(""));',
  '}',
].join('\n');

/**
 * Runs Node through the whole chain, exactly as for a script, and says in one line what does not hold.
 * Without options and below `sandbox` there is nothing that the start script has not tested already.
 */
export async function testFence(
  fence: ChosenFence,
  options: FenceOptions | undefined,
  ground: TestGround,
): Promise<string | undefined> {
  const isPlain = fence.report.hardening === undefined && fence.report.level !== 'sandbox';
  if (isPlain || fence.report.refusal !== undefined) return undefined;
  const userFault = options?.runAs && findUserFault(options.runAs);
  if (userFault !== undefined) return userFault;
  const flags = options?.nodePermission ? buildPermissionFlags(['/proc'], []) : [];
  const probe = await tryProgram(fence, ground, ground.node, [...flags, '-e', PROBE]);
  if ('fault' in probe) return `node cannot start ${nameOptions(fence, options?.limits)}: ${probe.fault}`;
  const fault = checkBounds(probe.text, options);
  return fault && `the self-test of the fence failed: ${fault}`;
}

async function tryProgram(
  fence: ChosenFence,
  ground: TestGround,
  file: string,
  args: string[],
): Promise<{ text: string } | { fault: string }> {
  const outcome = await run({
    request: makeRequest(file, args),
    stdin: Buffer.alloc(0),
    limits: LIMITS,
    fence,
    blockedSlots: ground.blockedSlots,
    searchPath: ground.searchPath,
    termination: new Termination(0),
    onSpawned: () => {},
    onStarted: () => {},
    onTail: () => {},
    freeSlot: () => {},
  });
  const fault = describeFault(outcome);
  if (fault !== undefined) return { fault };
  return { text: outcome.type === 'finished' ? outcome.body.toString('utf8') : '' };
}

function makeRequest(file: string, args: string[]): RunMessage {
  const runId = `selftest-${process.pid}-${Math.floor(performance.now() * 1000)}`;
  return {
    ...{ v: 1, incarnation: 'self-test', type: 'run', id: 0, runId, file, args, cwd: '/', env: {} },
    ...{ timeoutMs: TEST_LIMIT_MS, tail: false, stdin: false },
  };
}

function describeFault(outcome: Outcome): string | undefined {
  if (outcome.type === 'refused') return outcome.message;
  const { exitCode, signal, timedOut, keptBytes } = outcome.fields;
  if (exitCode === 0) return undefined;
  if (timedOut) return `it did not end within ${TEST_LIMIT_MS} ms`;
  const how = signal === null ? `it exited with code ${exitCode}` : `it was ended by ${signal}`;
  const words = outcome.body
    .subarray(keptBytes.stdout)
    .toString('utf8')
    .split('\n')
    .find((line) => /\w/.test(line));
  return words === undefined ? how : `${how} (${words.trim().slice(0, WORDS_CHARACTERS)})`;
}

function checkBounds(text: string, options: FenceOptions | undefined): string | undefined {
  const has = (pattern: string): boolean => new RegExp(`^${pattern}\\b`, 'm').test(text);
  const user = options?.runAs;
  if (user !== undefined && !(has(`Uid:(?:\\s+${user.uid}){4}`) && has(`Gid:(?:\\s+${user.gid}){4}`))) {
    return `programs do not run as ${user.uid}:${user.gid}`;
  }
  const missed = listExpectedLimits(options?.limits).find(
    ([name, value]) => !has(`${name}\\s+${value}\\s+${value}`),
  );
  return missed && `${missed[0]?.toLowerCase()} is not ${missed[1]}`;
}

/** What may be the cause, for the person who reads the refusal. */
function nameOptions({ report }: ChosenFence, limits: FenceOptions['limits']): string {
  const bounds = Object.entries(limits ?? {}).map(([name, value]) => `${name}=${value}`);
  const others = (report.hardening ?? []).filter((name) => name !== 'limits');
  const all = [...others, ...bounds].join(', ');
  return `at the ${report.level} level${all === '' ? '' : ` with ${all}`}`;
}
