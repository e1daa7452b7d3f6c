import type { Resource } from '@modelcontextprotocol/server';
import { DIRECTORY_MIME_TYPE } from '@modelcontextprotocol/server/ext/skills';
import type { CatalogSource } from '../catalog/catalog-service.js';
import { escapeInvisible } from '../errors/sanitize.js';
import type { Skill } from '../skill/skill.js';
import { type ListEntry, type ListPage, readPosition, takeListPage } from './list-page.js';
import { readResourceUri, writeResourceUri } from './resource-uri.js';
import { describeFile } from './resources.js';

/** One page of what lies directly in a directory of a skill; undefined when the URI names none. */
export async function readDirectory(
  catalog: CatalogSource,
  uri: string,
  cursor: string | undefined,
): Promise<ListPage<Resource> | undefined> {
  const address = readResourceUri(uri);
  if ('fault' in address) return undefined;
  const skill = (await catalog(() => [address.skill])).find(address.skill);
  if (skill === undefined) return undefined;
  const children = listChildren(skill, address.path);
  if (children.size === 0) return undefined;
  const after = readPosition(cursor);
  const entries = [...children]
    .map(([key, value]): ListEntry<Resource> => ({ key, value }))
    .filter(({ key }) => after === undefined || key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  return takeListPage(entries);
}

/** Children by name. A directory without a file below it is in no listing of the skill, so it is in none here. */
function listChildren(skill: Skill, directory: string): ReadonlyMap<string, Resource> {
  const prefix = directory === '' ? '' : `${directory}/`;
  const children = new Map<string, Resource>();
  for (const file of skill.files) {
    if (!file.path.startsWith(prefix)) continue;
    const [name = '', ...below] = file.path.slice(prefix.length).split('/');
    if (children.has(name)) continue;
    const child =
      below.length === 0
        ? describeFile(skill, file, name)
        : {
            uri: writeResourceUri(skill.name, prefix + name),
            name: escapeInvisible(name),
            mimeType: DIRECTORY_MIME_TYPE,
          };
    children.set(name, child);
  }
  return children;
}
