import { toOneLine } from '../../errors/sanitize.js';
import type { Examination } from './examine.js';

const LINE_CHARACTERS = 400;

/** An examination as text for a person, one finding a line; ends with a newline. */
export function writeReport(found: Examination): string {
  const { fence, skills } = found;
  const hardening = fence.hardening === undefined ? '' : ` + ${fence.hardening.join(', ')}`;
  const rows: (readonly [string, string])[] = [
    ['skill-mcp', found.version],
    ['node', `${found.node.version} on ${found.platform} (${found.node.path})`],
    [
      'fence',
      `${fence.level}${hardening}, network: ${fence.network}${because(fence.refusal ?? fence.reason)}`,
    ],
    ['supervisor', `ready after ${found.supervisor.startMs} ms`],
    ...found.levels.map(({ level, available, guarantee, missing }) => {
      const state = available ? 'available' : `not available${because(missing)}`;
      return [`level ${level}`, `${state}; ${guarantee}`] as const;
    }),
    ...found.interpreters.map(({ name, path }) => [`interpreter ${name}`, path] as const),
    ...found.roots.paths.map((path) => ['root', `${path} (${found.roots.from})`] as const),
    [
      'skills',
      `${skills.served} served, ${skills.scripts} scripts may run, ${skills.problems} problems (see skill_list)`,
    ],
    ['grant', `${found.grant.from}${because(found.grant.error ?? found.grant.note)}`],
    ['hosted', found.hosted ? 'yes' : 'no'],
    ['confirmation', found.confirm],
    ['environment', describeScrub(found.environment)],
    ...found.problems.map((problem) => ['problem', problem] as const),
    ['scripts', found.refusal === undefined ? 'can run' : `cannot run${because(found.refusal)}`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${toOneLine(text, LINE_CHARACTERS)}\n`).join('');
}

const because = (reason: string | undefined): string => (reason === undefined ? '' : `: ${reason}`);

function describeScrub(scrub: Examination['environment']): string {
  if (scrub.state === 'scrubbed') return 'wiped: no other process can read our variables from /proc';
  return scrub.state === 'failed' ? `not wiped: ${scrub.reason}` : 'not wiped: only Linux shows it';
}
