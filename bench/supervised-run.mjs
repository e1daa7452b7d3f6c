// The price of supervision: one run against a bare spawn of the same program, per level.
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Supervisor } from '../dist/supervisor.js';
import { measureInTurns } from './measure.mjs';

/** Bars are ratios to the bare spawn of the same round. */
const BARS = {
  true: { portable: 3.0, namespace: 3.5, sandbox: 3.5 },
  node: { portable: 1.25, namespace: 1.25, sandbox: 1.25 },
};

function spawnBare(file, args) {
  return new Promise((resolve, reject) => {
    // The same empty environment as the supervised run: variables such as NODE_EXTRA_CA_CERTS slow a start down.
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: {} });
    child.stdout.resume();
    child.stderr.resume();
    child.once('error', reject);
    child.once('close', resolve);
  });
}

export async function measureSupervisedRuns(folder) {
  const empty = join(folder, 'empty.js');
  await writeFile(empty, '');
  const programs = { true: ['/bin/true', [], 100], node: [process.execPath, [empty], 40] };
  const supervisors = {};
  const rows = [];
  for (const level of ['portable', 'namespace', 'sandbox']) {
    const supervisor = new Supervisor({ fence: level });
    const report = await supervisor.ready(15_000);
    if (report.level === level) supervisors[level] = supervisor;
    else rows.push({ what: `level ${level}`, value: `not measured: ${report.reason ?? report.level}` });
    if (report.level !== level) await supervisor.close();
  }
  for (const [name, [file, args, rounds]] of Object.entries(programs)) {
    const variants = { bare: () => spawnBare(file, args) };
    for (const [level, supervisor] of Object.entries(supervisors)) {
      variants[level] = () => supervisor.run({ file, args, cwd: folder, env: {} });
    }
    await measureInTurns(variants, 5); // warm-up
    const times = await measureInTurns(variants, rounds);
    for (const level of Object.keys(supervisors)) {
      const ratio = times[level] / times.bare;
      rows.push({
        what: `${name === 'node' ? 'empty node script' : '/bin/true'} at ${level}`,
        value: `${times[level].toFixed(1)} ms, bare ${times.bare.toFixed(1)} ms`,
        ratio,
        bar: BARS[name][level],
        good: ratio <= BARS[name][level],
      });
    }
  }
  await Promise.all(Object.values(supervisors).map((supervisor) => supervisor.close()));
  return rows;
}
