import { join } from 'node:path';
import { reportDeeperSkills } from '../../catalog/report-deeper.js';
import { type Scan, type ScanSettings, scanRoots } from '../../catalog/scan-roots.js';
import { Turns } from '../../catalog/turns.js';
import { type Inspection, inspectSkillMd } from '../../skill/inspect-skill-md.js';
import { Listings } from '../../skill/listings.js';
import { mapBounded } from '../../skill/map-bounded.js';
import { SKILL_MD } from '../../skill/skill-md-name.js';
import { explainScripts, type ScriptExplanation } from './explain-scripts.js';
import { judgeProblem, type LintFinding, readPlace } from './judge-problem.js';

/** All that there is to say about some folders of skills. */
export interface LintReport {
  /** Skills that would be served. */
  readonly skills: number;
  readonly errors: number;
  readonly warnings: number;
  /** By path, then place. */
  readonly findings: readonly LintFinding[];
  readonly scripts: readonly ScriptExplanation[];
}

/** How a lint is done. `onProgress` hears how many skills were read so far. */
export interface LintOptions {
  readonly settings: ScanSettings;
  readonly interpreters: ReadonlyMap<string, string>;
  readonly now: () => number;
  readonly onProgress: (read: number) => void;
}

const PARALLEL = 8;

/** Scans as the server does, and judges each SKILL.md by the specification besides. Never rejects. */
export async function lintRoots(options: LintOptions): Promise<LintReport> {
  const { settings, interpreters, now } = options;
  let read = 0;
  const isStopped = () => false;
  const scan = await scanRoots(settings, {
    listings: new Listings(now),
    turns: new Turns(),
    now,
    isStopped,
    stale: new Set<string>(),
    onRead: () => options.onProgress(++read),
  });
  const deeper = await reportDeeperSkills(scan, isStopped);
  const inspections = await inspectAll(scan);
  const roots = new Set(settings.roots);
  const findings = [...scan.problems, ...deeper].flatMap((problem) => {
    const finding = judgeProblem(problem, inspections.get(problem.path)?.places, roots);
    return finding === undefined ? [] : [finding];
  });
  for (const [path, { departures }] of inspections) {
    for (const { severity, rule, at, message } of departures)
      findings.push({ path, ...readPlace(at.split(':')), severity, rule, message });
  }
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return {
    skills: scan.skills.length,
    errors,
    warnings: findings.length - errors,
    findings: findings.sort(compare),
    scripts: scan.skills.flatMap((skill) => explainScripts(skill, interpreters)),
  };
}

async function inspectAll({ readings }: Scan): Promise<Map<string, Inspection>> {
  const inspections = new Map<string, Inspection>();
  await mapBounded([...readings.keys()], PARALLEL, async (directory) => {
    const inspection = await inspectSkillMd(directory);
    if (inspection !== undefined) inspections.set(join(directory, SKILL_MD), inspection);
  });
  return inspections;
}

function compare(a: LintFinding, b: LintFinding): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
