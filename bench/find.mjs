// Finding against a search library: the same catalog, the same requests, in turns within one run.
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { measureInTurns, median } from './measure.mjs';
import { answerOnce, MINIMAL, makeSkills, SERVER } from './server.mjs';

const FIXTURES = fileURLToPath(new URL('../test/fixtures/evaluation/', import.meta.url));
const BODY_CHARACTERS = 3000;
const QUERY_BAR = 1 / 3;
const INDEX_BAR = 1 / 2;

/** The lexical ranker as the program has it, bundled for this run. */
async function loadRanker(folder) {
  const outfile = join(folder, 'ranker.mjs');
  const contents = [
    "export { Bm25fBuilder } from './src/find/bm25f.ts';",
    "export { STOP_WORDS } from './src/find/stop-words.ts';",
  ].join('\n');
  const resolveDir = fileURLToPath(new URL('..', import.meta.url));
  await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
  });
  return import(pathToFileURL(outfile).href);
}

/** A generator of numbers from 0 to below 1; the same seed gives the same catalog. */
function makeRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Skills of a usual size: real words first, rarer invented ones behind them, drawn as in natural text. */
function inventSkills(texts, count) {
  const random = makeRandom(7);
  const real = [
    ...new Set(
      texts
        .join(' ')
        .toLowerCase()
        .match(/[a-z]{2,}/g),
    ),
  ];
  const syllables = [
    'ba',
    'con',
    'dex',
    'fil',
    'gra',
    'lu',
    'mo',
    'ner',
    'po',
    'qui',
    'ra',
    'sta',
    'tor',
    'ver',
    'zi',
  ];
  const invented = Array.from({ length: 20_000 }, () =>
    Array.from(
      { length: 2 + Math.floor(random() * 3) },
      () => syllables[Math.floor(random() * syllables.length)],
    ).join(''),
  );
  const words = [...real, ...invented];
  const draw = () => words[Math.floor(words.length ** random()) - 1] ?? 'word';
  const text = (length) => {
    let result = draw();
    while (result.length < length) result += ` ${draw()}`;
    return result;
  };
  return Array.from({ length: count }, (_, number) => {
    const id = `${draw()}-${draw()}-${number}`;
    return { id, name: id, description: text(260), body: text(BODY_CHARACTERS) };
  });
}

function indexOurs({ Bm25fBuilder }, skills) {
  const builder = new Bm25fBuilder();
  for (const skill of skills) builder.add(skill);
  const index = builder.build();
  return (task) => index.search(task, 20);
}

const MINISEARCH = { fields: ['name', 'description', 'body'], idField: 'id' };
const BOOST = { name: 3, description: 2, body: 0.3 };

function indexPlain(skills) {
  const index = new MiniSearch(MINISEARCH);
  index.addAll(skills);
  return (task) => index.search(task, { boost: BOOST }).slice(0, 20);
}

/** With the stems and stop words that our own index has: slower to build, faster to ask. */
function indexStemmed({ STOP_WORDS }, skills) {
  const processTerm = (term) => {
    const word = term.toLowerCase();
    return STOP_WORDS.has(word) ? null : stemmer(word);
  };
  const index = new MiniSearch({ ...MINISEARCH, processTerm });
  index.addAll(skills);
  return (task) => index.search(task, { boost: BOOST }).slice(0, 20);
}

function timed(work) {
  const start = performance.now();
  const result = work();
  return { ms: performance.now() - start, result };
}

export async function measureFind(folder) {
  const ranker = await loadRanker(folder);
  const names = await readdir(join(FIXTURES, 'skills'));
  const texts = await Promise.all(
    names.map((name) => readFile(join(FIXTURES, 'skills', name, 'SKILL.md'), 'utf8')),
  );
  const lines = (await readFile(join(FIXTURES, 'requests.jsonl'), 'utf8')).trim().split('\n');
  const tasks = lines.map((line) => JSON.parse(line).task);
  const rows = [];
  for (const [count, rounds] of [
    [500, 15],
    [10_000, 1],
  ]) {
    const skills = inventSkills(texts, count);
    const variants = {
      ours: () => indexOurs(ranker, skills),
      plain: () => indexPlain(skills),
      stemmed: () => indexStemmed(ranker, skills),
    };
    const indexing = { ours: [], plain: [], stemmed: [] };
    const ask = {};
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, make] of Object.entries(variants)) {
        const { ms, result } = timed(make);
        indexing[name].push(ms);
        ask[name] = result;
      }
    }
    const asking = { ours: [], plain: [], stemmed: [] };
    for (const task of [...tasks.slice(0, 20), ...tasks]) {
      for (const name of Object.keys(variants)) asking[name].push(timed(() => ask[name](task)).ms);
    }
    const warm = (name) => median(asking[name].slice(20));
    rows.push(
      compare(`index of ${count} skills`, median(indexing.ours), bestOf(indexing, median), INDEX_BAR),
    );
    rows.push(
      compare(
        `find among ${count} skills, p50`,
        warm('ours'),
        bestOf(asking, (list) => median(list.slice(20))),
        QUERY_BAR,
      ),
    );
  }
  rows.push(await measureStart(folder));
  return rows;
}

/** The better of the two ways to use the library, whichever it is in this row. */
function bestOf({ plain, stemmed }, measure) {
  return Math.min(measure(plain), measure(stemmed));
}

function compare(what, ours, theirs, bar) {
  return {
    what,
    value: `${ours.toFixed(3)} ms, MiniSearch ${theirs.toFixed(3)} ms`,
    ratio: ours / theirs,
    bar: Number(bar.toFixed(2)),
    good: ours / theirs <= bar,
  };
}

/** Indexing begins after the handshake: with thousands of skills the first answer comes as quickly as without. */
async function measureStart(folder) {
  const many = join(folder, 'findable');
  await mkdir(many);
  await makeSkills(many, 3000);
  const env = {
    SKILLS_DIR: many,
    SKILL_MCP_TOOLSETS: 'find',
    SKILLS_MCP_CONFIG: join(folder, 'no-config.json'),
  };
  const starts = await measureInTurns(
    { minimal: answerOnce(MINIMAL, {}), ours: answerOnce(SERVER, env) },
    15,
  );
  return {
    what: 'start to initialize answered, find, 3,000 skills',
    value: `${starts.ours.toFixed(0)} ms, minimal server ${starts.minimal.toFixed(0)} ms`,
    ratio: starts.ours / starts.minimal,
    bar: 1.3,
    good: starts.ours / starts.minimal <= 1.3 && starts.ours < 1500,
  };
}
