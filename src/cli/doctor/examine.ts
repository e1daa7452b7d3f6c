import type { FenceLevel, FenceReport } from '../../../supervisor/index.js';
import { CatalogService } from '../../catalog/catalog-service.js';
import type { ScrubOutcome } from '../../config/scrub-environ.js';
import type { Settings } from '../../config/settings.js';
import { unknownFence } from '../../run/fence-demand.js';
import { Grant } from '../../run/grant.js';
import { sortScripts } from '../../run/script-state.js';
import { ScriptSupervisor } from '../../run/script-supervisor.js';
import { GUARANTEES } from './guarantees.js';

/** A supervisor that takes longer is not going to come, ms. */
const START_LIMIT_MS = 12_000;

/** One level of the fence on this machine. */
export interface LevelFinding {
  readonly level: FenceLevel;
  readonly available: boolean;
  readonly guarantee: string;
  /** Why it is not to be had. */
  readonly missing?: string;
}

/** All that the doctor found out. Holds no value of any variable but what the operator wrote about roots and interpreters. */
export interface Examination {
  readonly version: string;
  readonly node: { readonly version: string; readonly path: string };
  readonly platform: string;
  readonly fence: FenceReport;
  readonly supervisor: { readonly startMs: number };
  readonly levels: readonly LevelFinding[];
  readonly interpreters: readonly { readonly name: string; readonly path: string }[];
  readonly roots: { readonly from: string; readonly paths: readonly string[] };
  readonly skills: { readonly served: number; readonly scripts: number; readonly problems: number };
  readonly grant: { readonly from: string; readonly error?: string; readonly note?: string };
  readonly hosted: boolean;
  readonly confirm: string;
  readonly environment: ScrubOutcome;
  readonly problems: readonly string[];
  /** Why no script can run, if none can. */
  readonly refusal?: string;
}

/** What an examination starts from. */
export interface Subject {
  readonly settings: Settings;
  readonly scrub: ScrubOutcome;
  readonly version: string;
  readonly node: { readonly version: string; readonly platform: string };
}

/** Tries out what this machine and these settings give. Starts and ends supervisors; runs no script. */
export async function examine({ settings, scrub, version, node }: Subject): Promise<Examination> {
  const inForce = await startSupervisor(settings);
  const levels: LevelFinding[] = [];
  for (const [level, guarantee] of GUARANTEES) {
    levels.push(await examineLevel(settings, level, guarantee));
  }
  const grant = new Grant(settings);
  const refusal = settings.fenceFault ?? inForce.fence.refusal ?? grant.error ?? grant.note;
  return {
    version,
    node: { version: node.version, path: settings.interpreters.get('node') ?? '' },
    platform: node.platform,
    fence: inForce.fence,
    supervisor: { startMs: inForce.startMs },
    levels,
    interpreters: [...settings.interpreters].map(([name, path]) => ({ name, path })),
    roots: { from: settings.rootsFrom, paths: settings.roots },
    skills: await countSkills(settings, grant),
    grant: {
      from: grant.from,
      ...(grant.error !== undefined && { error: grant.error }),
      ...(grant.note !== undefined && { note: grant.note }),
    },
    hosted: settings.hosted,
    confirm: settings.confirmMode,
    environment: scrub,
    problems: settings.problems.map(({ path, detail }) => `${path}: ${detail}`),
    ...(refusal !== undefined && { refusal }),
  };
}

async function startSupervisor(settings: Settings): Promise<{ fence: FenceReport; startMs: number }> {
  const supervisor = new ScriptSupervisor(settings, () => {});
  const startedAt = performance.now();
  try {
    const fence = await supervisor.get().ready(START_LIMIT_MS);
    return { fence, startMs: Math.round(performance.now() - startedAt) };
  } catch (error) {
    const refusal = error instanceof Error ? error.message : 'the supervisor did not start';
    const startMs = Math.round(performance.now() - startedAt);
    return { fence: { ...unknownFence(refusal), refusal }, startMs };
  } finally {
    await supervisor.close(0);
  }
}

/** The bare level: what the operator wants on top of it is no matter of the machine. */
async function examineLevel(settings: Settings, level: FenceLevel, guarantee: string): Promise<LevelFinding> {
  const bare = { fence: level, minFence: undefined, fenceOptions: { readable: [], writable: [] } };
  const { fence } = await startSupervisor({ ...settings, ...bare });
  if (fence.level === level && fence.refusal === undefined) return { level, available: true, guarantee };
  return { level, available: false, guarantee, missing: fence.reason ?? fence.refusal ?? 'it was not given' };
}

async function countSkills(settings: Settings, grant: Grant): Promise<Examination['skills']> {
  const service = new CatalogService(settings);
  const { skills, problems } = await service.settled();
  const runnable = skills.map((skill) => sortScripts(skill, grant, settings.interpreters).scripts.length);
  return {
    served: skills.length,
    scripts: runnable.reduce((sum, count) => sum + count, 0),
    problems: problems.length,
  };
}
