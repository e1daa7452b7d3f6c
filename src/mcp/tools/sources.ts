import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { ReadFindView } from '../../catalog/find-catalog.js';
import type { ConfigStore } from '../../config/config-store.js';
import { makeSourceId, Repository } from '../../config/source-spec.js';
import { redactSecrets } from '../../errors/redact.js';
import { Refusal } from '../../errors/refusal.js';
import { toOneLine } from '../../errors/sanitize.js';
import { addSource, kindOf, removeSource, startSyncs } from '../../source/manage-sources.js';
import type { SyncOutcome } from '../../source/source.js';
import type { SourceSyncer } from '../../source/sync.js';
import type { ToolCall, ToolDefinition } from '../tool.js';
import { parseArguments, toJsonSchema } from '../tool-schema.js';
import { CHANGES_CATALOG } from './annotations.js';

/** Clients give up after 60 s; what is not done by then goes on without them, ms. */
const ANSWER_MS = 50_000;

const MAX_PROBLEMS = 200;
const MAX_SHOWN_CHARACTERS = 100;

const SHAPE = '{"action": "list"}, {"action": "add", "repo": "owner/name"} or {"action": "sync", "id": "…"}';

// Without lengths, descriptions and open objects: clients print each of them with every step of the model. An object
// of JSON Schema takes further fields anyway.
const Input = z.strictObject({
  action: z.enum(['list', 'add', 'remove', 'sync']),
  id: z.string().optional(),
  repo: z.string().optional(),
  kind: z.string().optional(),
});

const Output = z.object({
  sources: z.array(z.object({})).optional(),
  problems: z.array(z.object({})).optional(),
  outcomes: z.array(z.object({ id: z.string(), ok: z.boolean() })).optional(),
  added: z.string().optional(),
  removed: z.string().optional(),
});

/** What the tool works with. */
export interface SourceActions {
  readonly view: ReadFindView;
  readonly store: ConfigStore;
  readonly syncer: SourceSyncer;
  /** False on a host whose operator has not said which config is the agents' to change. */
  readonly mayChange: boolean;
  /** How long a sync may take until the answer, ms. */
  readonly answerMs?: number;
}

/** The tool that lists, adds, removes and syncs the sources of skills. */
export function makeSources(parts: SourceActions): ToolDefinition {
  return {
    definition: {
      name: 'sources',
      title: 'Sources of skills',
      description: [
        'List, add, remove or sync the sources that skills come from.',
        'add takes a GitHub repository as repo "owner/name" and only stores it: sync fetches it, and its skills can be found',
        'from then on. sync without an id takes all sources; one that takes too long goes on, ask again later.',
      ].join('\n'),
      inputSchema: toJsonSchema(Input),
      outputSchema: toJsonSchema(Output),
      annotations: CHANGES_CATALOG,
    },
    bulkyFields: [],
    call: async (args, call) => {
      const input = parseArguments(Input, args, SHAPE);
      switch (input.action) {
        case 'list':
          return list(parts);
        case 'add':
          return add(parts, input);
        case 'remove':
          return remove(parts, input);
        case 'sync':
          return sync(parts, input.id, call);
      }
    },
  };
}

type Arguments = z.infer<typeof Input>;

async function list({ view }: SourceActions): Promise<Record<string, unknown>> {
  const { stored, problems, configFault } = await view();
  const shown = problems.slice(0, MAX_PROBLEMS);
  return {
    sources: stored.map(hideSecrets),
    problems: shown,
    ...(problems.length > shown.length && { problemsTotal: problems.length }),
    ...(configFault !== undefined && { fault: configFault }),
  };
}

async function add(
  parts: SourceActions,
  { id, repo, kind = 'github' }: Arguments,
): Promise<Record<string, unknown>> {
  demandChange(parts);
  if (kind !== 'github') {
    const wanted = JSON.stringify(toOneLine(kind, MAX_SHOWN_CHARACTERS));
    throw new Refusal(`only GitHub sources can be added here, not ${wanted}`, {
      hint: "local and command sources are their owner's to add: skill-mcp sources add '<json>'",
    });
  }
  if (repo === undefined)
    throw new Refusal('repo is required to add a source', { hint: 'as in "owner/name"' });
  const named = Repository.safeParse(repo);
  if (!named.success) throw new Refusal(`repo ${named.error.issues[0]?.message ?? 'must be owner/name'}`);
  const spec = await addSource(parts.store, { kind, id: id ?? makeSourceId(repo), repo });
  return { added: spec.id };
}

async function remove(parts: SourceActions, { id }: Arguments): Promise<Record<string, unknown>> {
  demandChange(parts);
  if (id === undefined)
    throw new Refusal('id is required to remove a source', { hint: 'action "list" shows the ids' });
  await removeSource(parts.store, parts.syncer, id, (entry) => {
    if (kindOf(entry) === 'github') return;
    throw new Refusal(`the source ${id} is no GitHub source: it is its owner's to remove`, {
      hint: `skill-mcp sources remove ${id}`,
    });
  });
  return { removed: id };
}

function demandChange({ mayChange }: SourceActions): void {
  if (mayChange) return;
  throw new Refusal('this server is hosted and its sources are not yours to change', {
    hint: 'whoever runs it can set SKILLS_MCP_CONFIG to a config that agents may change',
  });
}

async function sync(
  { store, syncer, answerMs = ANSWER_MS }: SourceActions,
  id: string | undefined,
  { signal, progress }: ToolCall,
): Promise<Record<string, unknown>> {
  const started = await startSyncs(store, syncer, id);
  const stop = new AbortController();
  const late = setTimeout(answerMs, undefined, {
    signal: AbortSignal.any([stop.signal, signal]),
    ref: false,
  }).catch(() => undefined);
  let done = 0;
  const outcomes = await Promise.all(
    started.map(async ({ id: name, outcome }): Promise<SyncOutcome> => {
      const ended = await Promise.race([outcome, late]);
      done += 1;
      progress?.({ progress: done, total: started.length, message: name });
      return ended ?? { id: name, ok: false, status: 'still syncing' };
    }),
  );
  stop.abort();
  return { outcomes };
}

/** A stored entry with the secrets taken out of its strings, which a command's arguments may hold. */
function hideSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value);
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, hideSecrets(field)]));
}
