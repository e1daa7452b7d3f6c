import { setTimeout } from 'node:timers/promises';
import { Refusal } from '../errors/refusal.js';
import { SERVER_NAME } from './cutover.js';
import {
  isBuiltin,
  type ListedServer,
  type ListedSkill,
  listServers,
  listSkills,
  type OpencodeOptions,
} from './opencode-state.js';

/** A service that has just reloaded may answer with an empty list for a moment. */
const ATTEMPTS = 3;
const BETWEEN_MS = 3_000;

/** One thing that was looked at. */
export interface Check {
  readonly check: string;
  readonly ok: boolean;
  /** What was found instead. */
  readonly detail?: string;
}

/** Compares what OpenCode has loaded with what it should have after the cutover; writes nothing. */
export async function verifyCutover(
  options: OpencodeOptions,
  disabled: readonly string[],
): Promise<readonly Check[]> {
  for (let attempt = 1; ; attempt++) {
    const checks = await look(options, disabled, attempt === ATTEMPTS);
    if (attempt === ATTEMPTS || checks.every(({ ok }) => ok)) return checks;
    await setTimeout(BETWEEN_MS);
  }
}

async function look(
  options: OpencodeOptions,
  disabled: readonly string[],
  isLast: boolean,
): Promise<readonly Check[]> {
  try {
    const [skills, servers] = [await listSkills(options), await listServers(options)];
    return [...checkSkills(skills), ...checkServers(servers, disabled)];
  } catch (error) {
    // Without the program there is nothing to wait for.
    if (isLast || !(error instanceof Refusal) || error.code === 'ABSENT') throw error;
    return [{ check: 'OpenCode answers', ok: false, detail: error.message }];
  }
}

function checkSkills(skills: readonly ListedSkill[]): readonly Check[] {
  const builtin = skills.filter(isBuiltin);
  const hidden = builtin.filter(({ autoinvoke }) => autoinvoke === false);
  const shown = skills.filter((skill) => !isBuiltin(skill) && skill.autoinvoke !== false);
  return [
    make(
      'the builtin skills are advertised',
      builtin.length > 0 && hidden.length === 0,
      builtin.length === 0 ? 'none is listed' : `not advertised: ${nameAll(hidden)}`,
    ),
    make('no other skill is advertised', shown.length === 0, `advertised: ${nameAll(shown)}`),
  ];
}

function checkServers(servers: readonly ListedServer[], disabled: readonly string[]): readonly Check[] {
  const status = (name: string) => servers.find((server) => server.name === name)?.status.status;
  const own = status(SERVER_NAME);
  return [
    make(`the server ${SERVER_NAME} is connected`, own === 'connected', own ?? 'it is not there'),
    ...disabled.map((name) => {
      const found = status(name);
      return make(
        `the server ${name} is absent or disabled`,
        found === undefined || found === 'disabled',
        found ?? '',
      );
    }),
  ];
}

function make(check: string, ok: boolean, detail: string): Check {
  return ok ? { check, ok } : { check, ok, detail };
}

function nameAll(skills: readonly ListedSkill[]): string {
  return skills.map(({ id, name }) => id ?? name).join(', ');
}
