// npm run bench: every figure that the README names, side by side in one run, as a table and as JSON.
// Ratios are judged, absolute times only printed: machines differ threefold.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureCatalog } from './catalog.mjs';
import { measureDrain } from './drain.mjs';
import { measureFind } from './find.mjs';
import { measureServer } from './server.mjs';
import { measureSupervisedRuns } from './supervised-run.mjs';

const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  system: `${process.platform} ${release()}`,
  node: process.version,
};
const folder = await mkdtemp(join(tmpdir(), 'skill-mcp-bench-'));
try {
  const rows = [];
  for (const section of [measureSupervisedRuns, measureDrain, measureServer, measureCatalog, measureFind])
    rows.push(...(await section(folder)));
  console.log(`${machine.cpu}, ${machine.cores} cores, ${machine.system}, Node ${machine.node}\n`);
  for (const row of rows) console.log(describe(row));
  const output = process.argv[2];
  if (output) await writeFile(output, `${JSON.stringify({ machine, rows }, null, 2)}\n`);
  const missed = rows.filter((row) => row.good === false);
  console.log(`\n${missed.length === 0 ? 'every bar is held' : `${missed.length} bars are missed`}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

function describe({ what, value, ratio, bar, good, atLeast }) {
  const shown = ratio === undefined ? value : `${value} (x${ratio.toFixed(2)})`;
  const limit =
    bar === undefined
      ? ''
      : ` ${atLeast ? 'at least' : 'at most'} ${typeof bar === 'number' ? `x${bar}` : bar}`;
  const verdict = good === undefined ? '    ' : good ? 'ok  ' : 'MISS';
  return `${verdict} ${what.padEnd(46)} ${shown}${limit && `,${limit}`}`;
}
