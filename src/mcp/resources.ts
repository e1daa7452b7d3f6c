import type { McpServer, Resource } from '@modelcontextprotocol/server';
import type { Catalog } from '../catalog/catalog.js';
import type { CatalogSource, Interest } from '../catalog/catalog-service.js';
import { escapeInvisible, forListing } from '../errors/sanitize.js';
import { mediaType } from '../skill/media-type.js';
import type { BundleFile, Skill } from '../skill/skill.js';
import { SKILL_MD } from '../skill/skill-md.js';
import { type ListEntry, readPosition, takeListPage } from './list-page.js';
import type { Log } from './log.js';
import { answerRequest } from './protocol-answer.js';
import { readResource } from './read-resource.js';
import { writeResourceUri } from './resource-uri.js';

/** Of a description in a list, graphemes; the file has it whole. */
export const MAX_DESCRIPTION = 1_024;

/** Every file of every skill; the variables are completed. */
export const FILE_TEMPLATE = 'skill://{name}/{+path}';

/** Skills whose bundles are looked at file by file before a page of files is answered. */
const FRESH_SKILLS = 100;

// A key of two parts that sorts as the pair does: no name holds a NUL.
const SEPARATOR = '\0';

/** What the surfaces beside the tools are made of. */
export interface SkillSurface {
  readonly catalog: CatalogSource;
  readonly log: Log;
}

/** Serves one resource for each bundled file, published through the Skills extension or not. */
export function serveResources(mcp: McpServer, { catalog, log }: SkillSurface): void {
  // Handlers of our own: the SDK's list knows no pages, and its read would rewrite a URI before we see it.
  mcp.server.setRequestHandler('resources/list', (request) =>
    answerRequest('resources/list', log, async () => {
      const after = readPosition(request.params?.cursor);
      const { values, next } = takeListPage(listFiles(await catalog(nextSkills(after)), after));
      return { resources: values, ...next };
    }),
  );
  mcp.server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        name: 'skill-file',
        title: 'File of a skill',
        description: 'A bundled file: the name of its skill, and its path as skill_load lists it.',
        uriTemplate: FILE_TEMPLATE,
      },
    ],
  }));
  mcp.server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    answerRequest('resources/read', log, async () => {
      const content = await readResource(catalog, uri);
      const { mimeType } = content;
      return {
        contents: [
          'text' in content
            ? { uri, mimeType, text: content.text }
            : { uri, mimeType, blob: content.bytes.toString('base64') },
        ],
      };
    }),
  );
}

/** A bundled file as the lists show it. */
export function describeFile(skill: Skill, { path, size }: BundleFile, name: string): Resource {
  const isSkillMd = path === SKILL_MD;
  return {
    uri: writeResourceUri(skill.name, path),
    name: escapeInvisible(name),
    ...(isSkillMd &&
      skill.description !== undefined && { description: forListing(skill.description, MAX_DESCRIPTION) }),
    mimeType: mediaType(path),
    size,
  };
}

/** Skills whose files are about to be listed, the first of them: a page seldom shows more. */
function nextSkills(after: string | undefined): Interest {
  const [from = ''] = after?.split(SEPARATOR) ?? [];
  return ({ skills }) =>
    skills
      .filter(({ name }) => name >= from)
      .slice(0, FRESH_SKILLS)
      .map(({ name }) => name);
}

function* listFiles({ skills }: Catalog, after: string | undefined): Generator<ListEntry<Resource>> {
  const [afterSkill = '', afterPath = ''] = after?.split(SEPARATOR) ?? [];
  for (const skill of skills) {
    if (skill.name < afterSkill) continue;
    for (const file of skill.files) {
      if (skill.name === afterSkill && file.path <= afterPath) continue;
      const name = file.path === SKILL_MD ? skill.name : `${skill.name}/${file.path}`;
      yield { key: skill.name + SEPARATOR + file.path, value: describeFile(skill, file, name) };
    }
  }
}
