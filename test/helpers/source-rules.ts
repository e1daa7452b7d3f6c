import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One source file: path relative to the project with `/`, and its text. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** A rule looks at one file and says in words what breaks it. */
export type SourceRule = (source: Source) => string[];

/** Every TypeScript source of the product. */
export function readSources(root: string): Source[] {
  return ['src', 'supervisor'].flatMap((top) =>
    readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:ts|mts|cts|js|mjs|cjs)$/.test(file))
      .map((file) => {
        const relative = `${top}/${file.split(path.sep).join('/')}`;
        return { path: relative, text: readFileSync(path.join(root, relative), 'utf8') };
      }),
  );
}

/** One import of a file, however it is written. */
export interface Import {
  readonly specifier: string;
  /** `import type …` or `export type … from`: gone after compilation, but a dependency for the reader. */
  readonly typeOnly: boolean;
}

const STATIC = /^\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const DYNAMIC = /\b(?:import|require|require\.resolve|getBuiltinModule)\(\s*['"`]([^'"`]+)['"`]/g;

/** All imports of a text: static, re-exporting, for side effects, dynamic, required. */
export function importsOf(text: string): Import[] {
  const found: Import[] = [];
  for (const [, type, specifier = ''] of text.matchAll(STATIC)) {
    found.push({ specifier, typeOnly: type !== undefined });
  }
  for (const [, specifier = ''] of text.matchAll(DYNAMIC)) found.push({ specifier, typeOnly: false });
  return found;
}

/** Project-relative path of a relative import, with the ending that the source has. */
function resolveImport(from: string, specifier: string): string {
  return path.posix.join(path.posix.dirname(from), specifier).replace(/\.js$/, '.ts');
}

const isRelative = (specifier: string): boolean => specifier.startsWith('.');

/** From the outside in; a layer imports itself and what stands in later rows. */
const LAYERS: readonly (readonly string[])[] = [
  ['index'],
  ['cli'],
  ['app'],
  ['mcp'],
  ['run', 'find', 'catalog', 'registry', 'opencode'],
  ['source'],
  ['process'],
  ['skill'],
  ['config'],
  ['errors'],
];

/** Single type-only imports that point back on purpose: the settings speak of problems and of where roots came from. */
const TYPES_POINTING_BACK: ReadonlyMap<string, readonly string[]> = new Map([
  ['src/config/settings.ts', ['src/catalog/catalog.ts', 'src/skill/problem.ts']],
]);

const layerName = (file: string): string => (file.split('/')[1] ?? '').replace(/\.ts$/, '');
const rankOf = (name: string): number => LAYERS.findIndex((row) => row.includes(name));

/** src/: index, cli → app → mcp → {run, find, catalog, registry} → source → process → skill → config → errors. */
export const keepsLayers: SourceRule = ({ path: file, text }) => {
  if (!file.startsWith('src/')) return [];
  const own = layerName(file);
  if (rankOf(own) < 0) return [`${file}: ${own} is no layer of the architecture`];
  return importsOf(text)
    .filter(({ specifier }) => isRelative(specifier))
    .map(({ specifier, typeOnly }) => ({ target: resolveImport(file, specifier), typeOnly }))
    .filter(({ target }) => target.startsWith('src/') && layerName(target) !== own)
    .filter(({ target }) => rankOf(layerName(target)) <= rankOf(own))
    .filter(({ target, typeOnly }) => !(typeOnly && TYPES_POINTING_BACK.get(file)?.includes(target)))
    .map(({ target }) => `${file} imports ${target}: ${own} must not know ${layerName(target)}`);
};

/** src/ knows the supervisor's door only; the supervisor knows nothing outside itself, its halves not each other. */
export const keepsDoor: SourceRule = ({ path: file, text }) => {
  const targets = importsOf(text)
    .filter(({ specifier }) => isRelative(specifier))
    .map(({ specifier }) => resolveImport(file, specifier));
  const broken = targets.filter((target) => {
    if (file.startsWith('src/')) return target.startsWith('supervisor/') && target !== 'supervisor/index.ts';
    if (!target.startsWith('supervisor/')) return true;
    if (file.startsWith('supervisor/client/')) return target.startsWith('supervisor/child/');
    if (file.startsWith('supervisor/child/')) return target.startsWith('supervisor/client/');
    return false;
  });
  return broken.map((target) => `${file} imports ${target}`);
};

const SUPERVISOR_PACKAGES = new Set(['zod', 'execa', 'tree-kill']);
const PRODUCT_PACKAGES = new Set([
  'zod',
  'yaml',
  '@modelcontextprotocol/server',
  'jsonc-parser',
  'proper-lockfile',
  'stemmer',
  'smol-toml',
]);

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Node's own modules with their prefix, and a closed set of packages on each side. */
export const keepsPackages: SourceRule = ({ path: file, text }) => {
  const allowed = file.startsWith('supervisor/') ? SUPERVISOR_PACKAGES : PRODUCT_PACKAGES;
  return importsOf(text)
    .map(({ specifier }) => specifier)
    .filter((specifier) => !isRelative(specifier) && !specifier.startsWith('node:'))
    .filter((specifier) => !allowed.has(packageOf(specifier)))
    .map((specifier) => `${file} imports ${specifier}`);
};

/** The two files in which processes are started. */
export const PROCESS_STARTERS = ['supervisor/client/start-child.ts', 'supervisor/child/spawn.ts'] as const;
/** The one file that knows tree-kill. */
export const TREE_KILLERS = ['supervisor/child/terminate.ts'] as const;

const PROCESS_MODULES = /^(?:node:)?(?:child_process|cluster)$|^execa(?:\/|$)/;

/** Files among the sources that import a module which can start processes. */
export function startersAmong(sources: readonly Source[]): string[] {
  return filesImporting(sources, (specifier) => PROCESS_MODULES.test(specifier));
}

/** Files among the sources that import tree-kill. */
export function treeKillersAmong(sources: readonly Source[]): string[] {
  return filesImporting(sources, (specifier) => packageOf(specifier) === 'tree-kill');
}

function filesImporting(sources: readonly Source[], wanted: (specifier: string) => boolean): string[] {
  return sources
    .filter(({ text }) => importsOf(text).some(({ specifier }) => wanted(specifier)))
    .map(({ path: file }) => file)
    .sort();
}

const ENVIRONMENT_READERS = new Set([
  'src/config/environment.ts',
  'src/index.ts',
  'supervisor/child/main.ts',
  'supervisor/index.ts',
]);
const READS_ENVIRONMENT =
  /\bprocess\s*\??\.\s*env\b|\bprocess\[['"]env['"]\]|\bfrom\s+['"](?:node:)?process['"]/;

/** Variables come in at the edges and are handed on as values. */
export const keepsEnvironment: SourceRule = ({ path: file, text }) =>
  !ENVIRONMENT_READERS.has(file) && READS_ENVIRONMENT.test(withoutComments(text))
    ? [`${file} reads process.env`]
    : [];

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

const SWITCHED_OFF =
  /biome-ignore(?:-all)?\s+lint(?:\/(?:suspicious\/noImportCycles|style\/useImportType|style\/useNodejsImportProtocol))?\s*:|@ts-nocheck|@ts-ignore/;

/** Nobody silences the rules of imports, nor the type checks. */
export const keepsRulesOn: SourceRule = ({ path: file, text }) =>
  SWITCHED_OFF.test(text) ? [`${file} switches a rule off`] : [];

/** Longest source file, lines. */
export const MAX_LINES = 250;

/** One concern a file: what grows over the limit holds two. */
export const keepsShort: SourceRule = ({ path: file, text }) => {
  const lines = text.trimEnd().split('\n').length;
  return lines > MAX_LINES ? [`${file} has ${lines} lines, at most ${MAX_LINES}`] : [];
};

const GRAB_BAGS = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'types', 'misc', 'shared', 'lib']);

/** A file is named by the word that a reader would search for. */
export const keepsNames: SourceRule = ({ path: file }) =>
  file
    .split('/')
    .map((part) => part.replace(/\.[a-z]+$/, ''))
    .filter((part) => GRAB_BAGS.has(part))
    .map((part) => `${file}: "${part}" names no concern`);
