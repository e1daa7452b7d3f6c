import type { GetPromptResult, McpServer, Prompt } from '@modelcontextprotocol/server';
import type { Catalog } from '../catalog/catalog.js';
import { forListing } from '../errors/sanitize.js';
import type { Skill } from '../skill/skill.js';
import { readBody } from '../skill/skill-md.js';
import { askAbout, findSkill } from './find-skill.js';
import { type ListEntry, readPosition, takeListPage } from './list-page.js';
import { answerRequest } from './protocol-answer.js';
import { MAX_DESCRIPTION, type SkillSurface } from './resources.js';

/** The one argument of every prompt. */
export const TASK_ARGUMENT = 'task';

/** Serves one prompt for each skill: the way in which a person, not the model, picks one. */
export function servePrompts(mcp: McpServer, { catalog, log }: SkillSurface): void {
  mcp.server.setRequestHandler('prompts/list', (request) =>
    answerRequest('prompts/list', log, async () => {
      const after = readPosition(request.params?.cursor);
      const { values, next } = takeListPage(listPrompts(await catalog(), after));
      return { prompts: values, ...next };
    }),
  );
  mcp.server.setRequestHandler('prompts/get', ({ params: { name, arguments: values } }) =>
    answerRequest('prompts/get', log, async () =>
      writePrompt(findSkill(await catalog(askAbout(name)), name), values?.[TASK_ARGUMENT]),
    ),
  );
}

function* listPrompts({ skills }: Catalog, after: string | undefined): Generator<ListEntry<Prompt>> {
  for (const skill of skills) {
    if (after === undefined || skill.name > after) yield { key: skill.name, value: describePrompt(skill) };
  }
}

function describePrompt({ name, description }: Skill): Prompt {
  return {
    name,
    ...(description !== undefined && { description: forListing(description, MAX_DESCRIPTION) }),
    arguments: [{ name: TASK_ARGUMENT, description: 'What you want done with this skill.', required: false }],
  };
}

/** The instructions word for word in a message of their own, between what they are and what is to be done. */
async function writePrompt(skill: Skill, task: string | undefined): Promise<GetPromptResult> {
  const { body, description, truncationNote } = await readBody(skill);
  const cut = truncationNote === undefined ? '' : ` They are cut: ${truncationNote}.`;
  const intro = [
    `Use the skill "${skill.name}". Its instructions follow.${cut}`,
    `Relative paths in them start at ${skill.directory}: read those files with the tool skill_file (name: ${skill.name});`,
    'declared scripts run only through the tool skill_run.',
  ].join(' ');
  const texts = [intro, body, ...(task === undefined || task.trim() === '' ? [] : [`The task: ${task}`])];
  return {
    ...(description !== undefined && { description: forListing(description, MAX_DESCRIPTION) }),
    messages: texts.map((text) => ({ role: 'user', content: { type: 'text', text } })),
  };
}
