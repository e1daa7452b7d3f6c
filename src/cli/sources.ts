import { CommandLineError } from '../config/command-line.js';
import { Refusal } from '../errors/refusal.js';
import { addSource, removeSource, startSyncs } from '../source/manage-sources.js';
import { type CommandEdges, DONE, FAILED, type FindCommand, printJson } from './find-command.js';
import { createProgressLine } from './sync-progress.js';

type Action = (args: readonly string[], edges: CommandEdges) => Promise<number>;

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['list', list],
  ['add', add],
  ['sync', sync],
  ['remove', remove],
]);

/** Where skills come from: GitHub repositories, directories, programs. */
export const sourcesCommand: FindCommand = {
  usage: ['sources list', "sources add '<json>'", 'sources sync [id]', 'sources remove <id>'],
  help: `Sources are places that skills come from. They stand in one config file, in order of priority: of two skills of
one name the earlier source's is served.

  list            print the configured sources as they are stored, and what is wrong with them
  add '<json>'    store a source at the end; nothing is fetched yet
  sync [id]       bring a source, or all of them, onto this machine
  remove <id>     forget a source and delete what was fetched of it

Three kinds of source, each with an id of lowercase letters, digits and hyphens:

  {"kind":"github","id":"team","repo":"owner/name","paths":["skills"],"ref":"main","sha":"…"}
  {"kind":"local","id":"mine","path":"~/my-skills"}
  {"kind":"cli","id":"tool","list":["tool","skills"],"get":["tool","skill"],"namesPath":"a.b","contentPath":"text"}

Files: SKILLS_MCP_CONFIG (else ~/.config/skills-mcp/config.json), SKILLS_MCP_CACHE (else ~/.cache/skills-mcp).
`,
  run: async (args, edges) => {
    const [name, ...rest] = args;
    const action = name === undefined ? undefined : ACTIONS.get(name);
    if (action === undefined) {
      const wrong = name === undefined ? 'sources needs an action' : `unknown action ${JSON.stringify(name)}`;
      throw new CommandLineError(`${wrong}: list, add, sync or remove`);
    }
    return action(rest, edges);
  },
};

async function list(args: readonly string[], edges: CommandEdges): Promise<number> {
  demandCount(args, 0, 0, 'sources list');
  const { stored, problems, configFault } = await edges.find().view();
  printJson(edges, { sources: stored, problems });
  if (configFault !== undefined) throw new Refusal(configFault);
  return DONE;
}

async function add(args: readonly string[], edges: CommandEdges): Promise<number> {
  demandCount(args, 1, 1, "sources add '<json>'");
  const { id } = await addSource(edges.find().store, parseEntry(args[0] ?? ''));
  printJson(edges, { added: id });
  return DONE;
}

function parseEntry(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('the source is not JSON', {
      hint: 'put it in single quotes so that the shell leaves it alone',
    });
  }
}

async function remove(args: readonly string[], edges: CommandEdges): Promise<number> {
  demandCount(args, 1, 1, 'sources remove <id>');
  const id = args[0] ?? '';
  const { store, syncer } = edges.find();
  await removeSource(store, syncer, id);
  printJson(edges, { removed: id });
  return DONE;
}

async function sync(args: readonly string[], edges: CommandEdges): Promise<number> {
  demandCount(args, 0, 1, 'sources sync [id]');
  const line = createProgressLine(edges.writeError, edges.columns);
  const { store, syncer } = edges.find(line.show);
  const started = await startSyncs(store, syncer, args[0]);
  const outcomes = await Promise.all(
    started.map(async ({ id, outcome }) => {
      const ended = await outcome;
      line.end(id);
      return ended;
    }),
  );
  line.clear();
  printJson(edges, { outcomes });
  const { fault } = await store.read();
  if (fault !== undefined) edges.writeError(`skill-mcp: the config ${store.path} is broken: ${fault}\n`);
  const failed = outcomes.filter(({ ok }) => !ok);
  for (const { id, error } of failed) edges.writeError(`skill-mcp: ${id}: ${error ?? 'failed'}\n`);
  return failed.length === 0 && fault === undefined ? DONE : FAILED;
}

function demandCount(args: readonly string[], least: number, most: number, usage: string): void {
  const option = args.find((argument) => argument.startsWith('-'));
  if (option !== undefined)
    throw new CommandLineError(`unknown option ${JSON.stringify(option)}; usage: ${usage}`);
  if (args.length < least || args.length > most) throw new CommandLineError(`usage: ${usage}`);
}
