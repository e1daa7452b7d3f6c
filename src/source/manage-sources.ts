import type { ConfigStore, RawConfig } from '../config/config-store.js';
import { SourceId, SourceSpec } from '../config/source-spec.js';
import { Refusal } from '../errors/refusal.js';
import { toOneLine } from '../errors/sanitize.js';
import type { SyncOutcome } from './source.js';
import type { SourceSyncer } from './sync.js';

const MAX_SHOWN_CHARACTERS = 100;
const MAX_KNOWN_IDS = 20;

/** Appends a source to the config; nothing is synced. Throws a Refusal for a bad entry or an id that is taken. */
export async function addSource(store: ConfigStore, entry: unknown): Promise<SourceSpec> {
  const parsed = SourceSpec.safeParse(entry);
  if (!parsed.success) throw new Refusal(`this is no source: ${describeIssue(parsed.error.issues[0])}`);
  const spec = parsed.data;
  await store.edit((raw) => {
    const sources = listRaw(store, raw);
    if (sources.some((source) => idOf(source) === spec.id)) {
      throw new Refusal(`the id ${spec.id} is taken`, {
        hint: 'give another id, or remove that source first',
      });
    }
    raw.sources = [...sources, entry];
  });
  return spec;
}

/**
 * Takes a source out of the config and deletes what was synced of it. `mayRemove` looks at the stored entry and
 * throws a Refusal to keep it. Throws a Refusal for an id that is not there.
 */
export async function removeSource(
  store: ConfigStore,
  syncer: SourceSyncer,
  id: string,
  mayRemove: (entry: unknown) => void = () => undefined,
): Promise<void> {
  let kind: unknown;
  await store.edit((raw) => {
    const sources = listRaw(store, raw);
    const entry = sources.find((source) => idOf(source) === id);
    if (entry === undefined) throw refuseUnknown(id, sources.map(idOf));
    mayRemove(entry);
    kind = kindOf(entry);
    raw.sources = sources.filter((source) => source !== entry);
  });
  // An entry that never was a source may bear any id, a way out of the cache included: nothing was synced for it.
  if (kind !== 'local' && SourceId.safeParse(id).success) await syncer.forget(id);
}

/** Starts the sync of one source, or of all; throws a Refusal for an id that is not configured. */
export async function startSyncs(
  store: ConfigStore,
  syncer: SourceSyncer,
  id: string | undefined,
): Promise<readonly { readonly id: string; readonly outcome: Promise<SyncOutcome> }[]> {
  const { config, fault } = await store.read();
  if (fault !== undefined && config.sources.length === 0)
    throw new Refusal(`the config ${store.path} is broken: ${fault}`);
  const wanted = config.sources.filter((source) => id === undefined || source.id === id);
  if (id !== undefined && wanted.length === 0) {
    throw refuseUnknown(
      id,
      config.sources.map((source) => source.id),
    );
  }
  return wanted.map((spec) => ({ id: spec.id, outcome: syncer.sync(spec) }));
}

/** The kind of a stored entry, whatever stands there. */
export function kindOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'kind' in entry ? entry.kind : undefined;
}

function idOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined;
}

function listRaw(store: ConfigStore, raw: RawConfig): readonly unknown[] {
  const { sources } = raw;
  if (sources === undefined) return [];
  if (Array.isArray(sources)) return sources;
  throw new Refusal(`sources in ${store.path} is not an array`, {
    hint: 'mend it by hand first, nothing was changed',
  });
}

function refuseUnknown(id: string, known: readonly unknown[]): Refusal {
  const ids = known.filter((name) => typeof name === 'string').slice(0, MAX_KNOWN_IDS);
  return new Refusal(`there is no source ${JSON.stringify(toOneLine(id, MAX_SHOWN_CHARACTERS))}`, {
    hint: ids.length === 0 ? 'no source is configured' : `there are: ${ids.join(', ')}`,
  });
}

function describeIssue(issue: { path: PropertyKey[]; message: string } | undefined): string {
  if (issue === undefined) return 'it is not valid';
  const field = issue.path.map(String).join('.');
  return toOneLine(field === '' ? issue.message : `${field} ${issue.message}`, MAX_SHOWN_CHARACTERS * 2);
}
