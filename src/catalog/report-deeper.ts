import { lookDeeper } from '../skill/look-deeper.js';
import { makeProblem } from '../skill/make-problem.js';
import type { Problem } from '../skill/problem.js';
import { SKILL_MD } from '../skill/skill-md.js';
import type { RootDiscovery, Scan } from './scan-roots.js';

/** One `not-scanned` problem for each root with skills that the scan did not reach. Never rejects. */
export async function reportDeeperSkills(scan: Scan, isStopped: () => boolean): Promise<Problem[]> {
  const known = new Set(
    scan.discoveries.flatMap(({ candidates, refused }) => [
      ...candidates.map(({ directory }) => directory),
      ...refused,
    ]),
  );
  // A served skill was walked already: its list of files says what lies in it.
  const nested = new Map(scan.skills.map((skill) => [skill.directory, countNested(skill.files)]));
  const problems: Problem[] = [];
  for (const discovery of scan.discoveries) {
    if (discovery.realRoot === undefined || discovery.limited || isStopped()) continue;
    const deeper = await lookDeeper(discovery.realRoot, known, {
      isClosed: (directory) => nested.has(directory),
      isStopped,
    });
    const inSkills = scan.skills.filter(({ source }) => source === discovery.root);
    const holder = inSkills.find(({ directory }) => (nested.get(directory)?.length ?? 0) > 0);
    const count = inSkills.reduce(
      (sum, { directory }) => sum + (nested.get(directory)?.length ?? 0),
      deeper.count,
    );
    if (count === 0) continue;
    const first = deeper.first ?? `${holder?.name}/${nested.get(holder?.directory ?? '')?.[0]}`;
    problems.push(describe(discovery, `${deeper.isCut ? 'at least ' : ''}${count}`, first));
  }
  return problems;
}

/** True when a scan may have other skills below it than the one before: places or nested files are different. */
export function hasMoved(before: Scan, now: Scan): boolean {
  if (!before.places.isSame(now.places) || before.readings.size !== now.readings.size) return true;
  for (const [directory, { reading }] of now.readings) {
    const earlier = before.readings.get(directory)?.reading;
    if (earlier === undefined) return true;
    if (earlier.skill === reading.skill) continue;
    const nested = [earlier, reading].map(({ skill }) => skill && countNested(skill.files).join('\0'));
    if (nested[0] !== nested[1]) return true;
  }
  return false;
}

function countNested(files: readonly { readonly path: string }[]): string[] {
  return files.map(({ path }) => path).filter((path) => path.endsWith(`/${SKILL_MD}`));
}

function describe({ root, realRoot, candidates }: RootDiscovery, count: string, first: string): Problem {
  const isSkillItself = candidates.some(({ directory }) => directory === realRoot);
  const why = isSkillItself
    ? `the root is one skill itself, what lies below it is not scanned`
    : 'deeper than is scanned: raise SKILL_MCP_DEPTH or make their directory a root';
  return makeProblem(root, 'not-scanned', `${count} more ${SKILL_MD} (first: ${first}): ${why}`);
}
