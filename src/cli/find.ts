import { CommandLineError } from '../config/command-line.js';
import { Refusal } from '../errors/refusal.js';
import { clampLimit } from '../mcp/tools/find.js';
import { DONE, type FindCommand, printJson } from './find-command.js';

/** Asks what the tool `find` would answer. */
export const findCommand: FindCommand = {
  usage: ['find --json "<task>"'],
  help: `Prints what the tool find answers for a task: the skill that fits, or none, and a few that come close.
Everything after --json is the task. What counts is the config and what was synced: see skill-mcp sources --help.
`,
  run: async (args, edges) => {
    const [flag, ...words] = args;
    if (flag !== '--json') throw new CommandLineError('usage: find --json "<task>"');
    const task = words.join(' ').trim();
    if (task === '') throw new CommandLineError('find needs a task: find --json "<task>"');
    const { view, finder } = edges.find();
    const { catalog, config, fault, configFault } = await view();
    const request = { task, limit: clampLimit(), signal: new AbortController().signal };
    printJson(edges, await finder.find(request, { skills: catalog.ordered, config, fault }));
    if (configFault !== undefined) throw new Refusal(configFault);
    return DONE;
  },
};
