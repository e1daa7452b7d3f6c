import { z } from 'zod';
import type { Catalog } from '../../catalog/catalog.js';
import type { CatalogSource } from '../../catalog/catalog-service.js';
import type { ScrubOutcome } from '../../config/scrub-environ.js';
import type { Settings } from '../../config/settings.js';
import type { Grant } from '../../run/grant.js';
import { sha256 } from '../../run/run-plan.js';
import { type ScriptStates, sortScripts } from '../../run/script-state.js';
import type { Problem } from '../../skill/problem.js';
import type { Skill } from '../../skill/skill.js';
import { peekCursor, readCursor, takePage, writeCursor } from '../cursor.js';
import type { ToolDefinition } from '../tool.js';
import { parseArguments, toJsonSchema } from '../tool-schema.js';
import { READ_ONLY } from './annotations.js';
import { describeSkill } from './describe-skill.js';
import { matchSkills } from './match-skills.js';
import { type RunStatus, readRunStatus } from './run-status.js';
import { SIZE_HINT } from './size-hint.js';

/** Skills on a page: 1,000 of them would be about 90,000 tokens. */
const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 1_000;
const MAX_PROBLEMS = 200;

/** Of a digest: enough to tell two listings of one session apart. */
const MARK_CHARACTERS = 12;

/** Longest query, characters: it is a substring of a name or a description. */
const MAX_QUERY_CHARACTERS = 200;

/** Bytes on the line for each of the two lists of a page; the answer travels twice at most. */
const LIST_BUDGET_BYTES = 1536 * 1024;

const Input = z.strictObject({
  query: z
    .string()
    .max(MAX_QUERY_CHARACTERS)
    .optional()
    .describe('Only skills with this text in their name or description; upper and lower case are the same.'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .optional()
    .describe(`Most skills on this page, 1 to ${MAX_LIMIT}; ${DEFAULT_LIMIT} when left out.`),
  cursor: z.string().optional().describe('nextCursor of the page before; leave it out for the first page.'),
});

const Output = z.looseObject({
  roots: z.array(z.string()),
  rootsFrom: z.string(),
  grantFrom: z.string(),
  grantNote: z.string().optional(),
  grantError: z.string().optional(),
  fence: z.looseObject({}),
  supervisor: z.looseObject({}),
  skills: z.array(z.looseObject({})),
  total: z.int().min(0).max(1_000_000),
  problems: z.array(z.looseObject({})),
  problemsTotal: z.int().min(0).max(1_000_000_000),
  nextCursor: z.string().optional(),
});

/** What the listing is made of. */
export interface SkillListParts extends RunStatus {
  readonly settings: Settings;
  readonly catalog: CatalogSource;
  readonly grant: Grant;
  readonly scrub: ScrubOutcome;
  /** Skills that only the tools serve. */
  readonly unpublished: (catalog: Catalog) => Promise<readonly Problem[]>;
  /** What is wrong with other groups of tools. */
  readonly moreProblems?: () => readonly Problem[];
}

/** The tool that shows every skill, what of it would run, and everything that is not served as meant. */
export function makeSkillList(parts: SkillListParts): ToolDefinition {
  const overviews = new WeakMap<Catalog, Overview>();
  const overviewOf = (catalog: Catalog): Overview => {
    const overview = overviews.get(catalog) ?? makeOverview(parts, catalog);
    overviews.set(catalog, overview);
    return overview;
  };
  return {
    definition: {
      name: 'skill_list',
      title: 'List skills',
      description: [
        'List the Agent Skills served here: what each is for, when to use it, and which scripts it could run.',
        'Also says what is not served as its author meant it (problems), who decides what may run (grantFrom) and how',
        'runs are contained (fence). Large catalogs come in pages: pass nextCursor as cursor until there is none.',
        'Read a skill with skill_load before you follow it.',
      ].join('\n'),
      inputSchema: toJsonSchema(Input),
      outputSchema: toJsonSchema(Output),
      annotations: READ_ONLY,
      _meta: SIZE_HINT,
    },
    bulkyFields: ['skills', 'problems'],
    call: async (args) => {
      const input = parseArguments(Input, args, '{"query": "pdf", "limit": 50, "cursor": "…"}, all optional');
      const { query, limit = DEFAULT_LIMIT, cursor } = input;
      const start = peekCursor(cursor).skills;
      const catalog = await parts.catalog(({ skills }) =>
        matchSkills(skills, query)
          .slice(start, start + limit)
          .map(({ name }) => name),
      );
      const late = [...(parts.moreProblems?.() ?? []), ...(await parts.unpublished(catalog))];
      return listSkills(parts, addProblems(overviewOf(catalog), late), { query, limit, cursor });
    },
  };
}

/** What every answer about one catalog needs, worked out once. */
interface Overview {
  readonly skills: readonly Skill[];
  readonly problems: readonly Problem[];
  readonly problemsMark: string;
  readonly isAnyExecutable: boolean;
}

function makeOverview(parts: SkillListParts, catalog: Catalog): Overview {
  const problems = collectProblems(parts, catalog);
  return {
    skills: catalog.skills,
    problems,
    problemsMark: markProblems(problems),
    isAnyExecutable: catalog.skills.some((skill) => statesOf(skill, parts).scripts.length > 0),
  };
}

/** Problems that come and go without the catalog. */
function addProblems(overview: Overview, late: readonly Problem[]): Overview {
  if (late.length === 0) return overview;
  const problems = [...overview.problems, ...late];
  return { ...overview, problems, problemsMark: markProblems(problems) };
}

function markProblems(problems: readonly Problem[]): string {
  return mark(problems.map(({ path, reason }) => [path, reason]));
}

function statesOf(skill: Skill, { grant, settings }: SkillListParts): ScriptStates {
  return sortScripts(skill, grant, settings.interpreters);
}

async function listSkills(
  parts: SkillListParts,
  overview: Overview,
  {
    query,
    limit,
    cursor: cursorText,
  }: { query?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<Record<string, unknown>> {
  const { settings, grant } = parts;
  const skills = matchSkills(overview.skills, query);
  // A cursor counts places in one list: another query makes another list.
  const marks = {
    skills: mark([query ?? '', ...skills.map(({ name }) => name)]),
    problems: overview.problemsMark,
  };
  const cursor = readCursor(cursorText, marks);
  const candidates = skills.slice(cursor.skills, cursor.skills + limit);
  const page = takePage(
    candidates.map((skill) => describeSkill(skill, statesOf(skill, parts))),
    0,
    limit,
    LIST_BUDGET_BYTES,
  );
  const problems = takePage(overview.problems, cursor.problems, MAX_PROBLEMS, LIST_BUDGET_BYTES);
  const next = {
    skills: cursor.skills + page.length,
    problems: cursor.problems + problems.length,
  };
  const isLast = next.skills >= skills.length && next.problems >= overview.problems.length;
  return {
    roots: settings.roots,
    rootsFrom: settings.rootsFrom,
    grantFrom: grant.from,
    ...(grant.note !== undefined && { grantNote: grant.note }),
    ...(grant.error !== undefined && { grantError: grant.error }),
    ...(await readRunStatus(parts, settings.fenceFault, overview.isAnyExecutable)),
    skills: page,
    total: skills.length,
    problems,
    problemsTotal: overview.problems.length,
    ...(!isLast && { nextCursor: writeCursor(next, marks) }),
  };
}

function collectProblems(parts: SkillListParts, catalog: Catalog): readonly Problem[] {
  const { settings, grant, scrub } = parts;
  return [
    ...settings.problems,
    ...describeScrub(scrub, settings),
    ...grant.problems((name) => catalog.find(name)),
    ...catalog.problems,
  ];
}

function describeScrub(scrub: ScrubOutcome, settings: Settings): readonly Problem[] {
  if (scrub.state === 'scrubbed' || (scrub.state === 'unsupported' && !settings.hosted)) return [];
  const why = scrub.state === 'failed' ? scrub.reason : 'not supported on this platform';
  const detail = `scripts of the same user could read this server's variables (${why})`;
  return [{ path: '/proc/self/environ', reason: 'environ-unscrubbed', detail }];
}

/** Changes whenever a position in the list could mean something else than before. */
function mark(list: readonly unknown[]): string {
  return sha256(JSON.stringify(list)).slice(0, MARK_CHARACTERS);
}
