import type { McpServer } from '@modelcontextprotocol/server';
import type { Catalog } from '../catalog/catalog.js';
import type { CatalogSource } from '../catalog/catalog-service.js';
import type { Skill } from '../skill/skill.js';
import { invalidParams } from './protocol-answer.js';
import { readResourceUri, writeResourceUri } from './resource-uri.js';
import type { SkillSurface } from './resources.js';

/** Resources that one client of the older revisions may watch. */
const MAX_SUBSCRIPTIONS = 1_000;

/** Resources that are reported as changed in one burst; whoever watches more reads the list anew. */
const MAX_UPDATES = 1_000;

/** Tells of a new catalog, once a burst of changes. Returns how to stop. */
export type OnChanged = (listener: () => void) => () => void;

export interface NewsParts extends SkillSurface {
  readonly onChanged: OnChanged;
}

/**
 * Sends `list_changed` and `resources/updated` when the catalog is another one. In the current revision the SDK picks
 * what a subscription asked for; in the older ones updates go to the resources that were subscribed to. Returns the
 * catalog to answer from: what a client was shown is what changes are told against. Nothing is scanned for it.
 */
export function announceChanges(mcp: McpServer, parts: NewsParts, era: 'legacy' | 'modern'): CatalogSource {
  const subscribed = era === 'legacy' ? serveSubscriptions(mcp) : undefined;
  let shown: Promise<Catalog> | undefined;
  const tell = async (before: Promise<Catalog> | undefined, after: Promise<Catalog>): Promise<void> => {
    const [old, fresh] = await Promise.all([before, after]);
    const changes = findChanges(old, fresh);
    if (changes.length === 0 || !mcp.isConnected()) return;
    const { server } = mcp;
    if (changes.some(({ listed }) => listed)) {
      await server.sendPromptListChanged();
      await server.sendResourceListChanged();
    }
    const uris = changes.flatMap(({ skill }) =>
      skill.files.map(({ path }) => writeResourceUri(skill.name, path)),
    );
    const watched = uris.filter((uri) => subscribed === undefined || subscribed.has(uri));
    for (const uri of watched.slice(0, MAX_UPDATES)) await server.sendResourceUpdated({ uri });
  };
  const stop = parts.onChanged(() => {
    const before = shown;
    shown = parts.catalog();
    tell(before, shown).catch((error: unknown) => parts.log.debug(`changes were not sent: ${String(error)}`));
  });
  const { onclose } = mcp.server;
  mcp.server.onclose = () => {
    stop();
    onclose?.();
  };
  return (interest) => {
    const catalog = parts.catalog(interest);
    shown ??= catalog;
    return catalog;
  };
}

function serveSubscriptions({ server }: McpServer): ReadonlySet<string> {
  const subscribed = new Set<string>();
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    const address = readResourceUri(uri);
    if ('fault' in address) throw invalidParams(`cannot subscribe to ${uri}: ${address.fault}`);
    if (subscribed.size >= MAX_SUBSCRIPTIONS) throw invalidParams('too many subscriptions');
    subscribed.add(writeResourceUri(address.skill, address.path));
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    const address = readResourceUri(uri);
    if (!('fault' in address)) subscribed.delete(writeResourceUri(address.skill, address.path));
    return {};
  });
  return subscribed;
}

interface Change {
  readonly skill: Skill;
  /** A list shows it differently: it came, went, or has other words or files. */
  readonly listed: boolean;
}

/** Skills keep their identity while nothing about them has changed. Without an old catalog, all of them are new. */
function findChanges(old: Catalog | undefined, fresh: Catalog): Change[] {
  const changes: Change[] = [];
  for (const skill of fresh.skills) {
    const before = old?.find(skill.name);
    if (before !== skill)
      changes.push({ skill, listed: before === undefined || !isListedAlike(before, skill) });
  }
  for (const skill of old?.skills ?? []) {
    if (fresh.find(skill.name) === undefined) changes.push({ skill, listed: true });
  }
  return changes;
}

function isListedAlike(a: Skill, b: Skill): boolean {
  const show = ({ description, files }: Skill) => JSON.stringify([description, files]);
  return show(a) === show(b);
}
