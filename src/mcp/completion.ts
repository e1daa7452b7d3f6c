import type { CompleteResult, McpServer } from '@modelcontextprotocol/server';
import type { Catalog } from '../catalog/catalog.js';
import { askAbout, findSkill } from './find-skill.js';
import { answerRequest, invalidParams } from './protocol-answer.js';
import { FILE_TEMPLATE, type SkillSurface } from './resources.js';

/** The protocol's own bound. */
const MAX_VALUES = 100;

/** Completes skill names and paths of the resource template; prompts take free text only. */
export function serveCompletion(mcp: McpServer, { catalog, log }: SkillSurface): void {
  mcp.server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }) =>
    answerRequest('completion/complete', log, async () => {
      if (ref.type === 'ref/prompt') {
        findSkill(await catalog(askAbout(ref.name)), ref.name);
        return toResult([]);
      }
      if (ref.uri !== FILE_TEMPLATE) throw invalidParams(`there is no resource template ${ref.uri}`);
      return toResult(complete(await catalog(), argument, context?.arguments?.name));
    }),
  );
}

function complete(
  catalog: Catalog,
  { name, value }: { readonly name: string; readonly value: string },
  skillName: string | undefined,
): readonly string[] {
  if (name === 'name') {
    const begin = value.normalize('NFC').toLowerCase();
    return catalog.skills.map((skill) => skill.name).filter((known) => known.toLowerCase().startsWith(begin));
  }
  if (name !== 'path') return [];
  const files = skillName === undefined ? [] : (catalog.find(skillName)?.files ?? []);
  // Plain: whoever expands the template encodes them.
  return files.map(({ path }) => path).filter((path) => path.startsWith(value));
}

function toResult(values: readonly string[]): CompleteResult {
  return {
    completion: {
      values: values.slice(0, MAX_VALUES),
      total: values.length,
      hasMore: values.length > MAX_VALUES,
    },
  };
}
