import type { McpServer } from '@modelcontextprotocol/server';
import {
  type Skill as PublishedSkill,
  type SkillSource,
  SkillsExtension,
} from '@modelcontextprotocol/server/ext/skills';
import type { CatalogSource } from '../catalog/catalog-service.js';
import { SKILL_MD } from '../skill/skill-md.js';
import { readDirectory } from './directory-listing.js';
import { fillsPage, measure, readPosition, writePosition } from './list-page.js';
import { answerRequest } from './protocol-answer.js';
import type { Publishing } from './publishing.js';
import { readResource } from './read-resource.js';
import { readResourceUri, writeResourceUri } from './resource-uri.js';
import type { SkillSurface } from './resources.js';

/** Skills on one page, and bytes of files that may be read and hashed for it before it ends early. */
const PAGE_SKILLS = 100;
const PAGE_READ_BYTES = 32 * 1024 * 1024;

export interface ExtensionParts extends SkillSurface {
  readonly publishing: Publishing;
}

/**
 * Publishes skills as `io.modelcontextprotocol/skills` (SEP-2640): list, get, and reading of directories, over the
 * catalog. Skills that are not published can still be read by URI. Call it before anything else serves resources.
 */
export function serveSkillsExtension(mcp: McpServer, parts: ExtensionParts): void {
  const { log } = parts;
  new SkillsExtension({
    source: makeSource(parts),
    onWarning: ({ path, message }) => log.warn(`skills extension: ${path}: ${message}`),
  }).attach(mcp);
}

function makeSource({ catalog, log, publishing }: ExtensionParts): SkillSource {
  return {
    list: ({ cursor }) =>
      answerRequest('skills/list', log, async () => listPublished(catalog, publishing, readPosition(cursor))),
    get: (uri) => answerRequest('skills/get', log, async () => getPublished(catalog, publishing, uri)),
    read: (uri) => answerRequest('resources/read', log, async () => readResource(catalog, uri)),
    readDirectory: (uri, { cursor }) =>
      answerRequest('resources/directory/read', log, async () => {
        const page = await readDirectory(catalog, uri, cursor);
        return page && { resources: page.values, ...page.next };
      }),
  };
}

/** One page. It ends early when reading it has cost enough: a page may be empty and still have a next one. */
async function listPublished(
  source: CatalogSource,
  publishing: Publishing,
  after: string | undefined,
): Promise<{ skills: PublishedSkill[]; nextCursor?: string }> {
  const isAhead = ({ name }: { name: string }) => after === undefined || name > after;
  const catalog = await source((newest) =>
    newest.skills
      .filter(isAhead)
      .slice(0, PAGE_SKILLS)
      .map(({ name }) => name),
  );
  const skills: PublishedSkill[] = [];
  const readBefore = publishing.bytesRead;
  let bytes = 0;
  let last = after;
  for (const skill of catalog.skills.filter(isAhead)) {
    const isFull = skills.length >= PAGE_SKILLS || publishing.bytesRead - readBefore > PAGE_READ_BYTES;
    if (isFull && last !== undefined) return { skills, nextCursor: writePosition(last) };
    const entry = await publishing.publish(catalog, skill);
    if (!('fault' in entry)) {
      bytes += measure(entry);
      if (fillsPage(bytes) && skills.length > 0 && last !== undefined) {
        return { skills, nextCursor: writePosition(last) };
      }
      skills.push(entry);
    }
    last = skill.name;
  }
  return { skills };
}

async function getPublished(
  source: CatalogSource,
  publishing: Publishing,
  uri: string,
): Promise<PublishedSkill | undefined> {
  const address = readResourceUri(uri);
  if ('fault' in address || address.path !== SKILL_MD) return undefined;
  const catalog = await source(() => [address.skill]);
  const skill = catalog.find(address.skill);
  // A skill has one URI; another spelling of it is not looked up.
  if (skill === undefined || writeResourceUri(skill.name, SKILL_MD) !== uri) return undefined;
  const entry = await publishing.publish(catalog, skill);
  return 'fault' in entry ? undefined : entry;
}
