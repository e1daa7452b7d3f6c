// Builds the programs of the package into one folder, dist/, each as a single file:
// an unbundled zod + execa costs 130-156 ms at every start, a bundled one 13-16 ms.
// They stand side by side so that `./supervisor-child.js` is found relative to the module,
// from a clone, from an installed tarball and through a node_modules/.bin link alike.
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { writeNotices } from './third-party.config.mjs';

const { version } = JSON.parse(await readFile(new URL('./package.json', import.meta.url), 'utf8'));

const { metafile, outputFiles } = await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: {
    'skill-mcp': 'src/index.ts',
    supervisor: 'supervisor/index.ts',
    'supervisor-child': 'supervisor/child/main.ts',
    // Runs inside OpenCode, which is given its path.
    'opencode-plugin': 'src/opencode/plugin.ts',
  },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  // Its main file is UMD, whose own require() no bundler can follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  legalComments: 'none', // third-party.config.mjs writes the whole licence texts
  define: { __PACKAGE_VERSION__: JSON.stringify(version) },
  // Some bundled dependencies are CommonJS and call require() on Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  metafile: true,
  write: false,
  logLevel: 'warning',
});

await mkdir(new URL('./dist/', import.meta.url), { recursive: true });
for (const { path: target, contents } of outputFiles) {
  // Renamed into place: a server that starts during a build finds the old program or the new one, never half.
  const unfinished = `${target}.${process.pid}`;
  await writeFile(unfinished, contents);
  if (path.basename(target) === 'skill-mcp.js') await chmod(unfinished, 0o755);
  await rename(unfinished, target);
}

await writeNotices({
  root: import.meta.dirname,
  metafile,
  target: new URL('./dist/THIRD-PARTY-LICENSES.txt', import.meta.url),
});
