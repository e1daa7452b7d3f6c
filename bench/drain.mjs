// One GiB of output: the pace of a bare spawn with a listener that discards, and the memory it costs.
import { spawn } from 'node:child_process';
import { Supervisor } from '../dist/supervisor.js';
import { findChildren, measureInTurns, memoryMiB } from './measure.mjs';

const GIB = 1024 ** 3;
const RATE_BAR = 0.8;
const PEAK_BAR_MIB = Number(process.versions.node.split('.')[0]) >= 24 ? 224 : 128;

export async function measureDrain(folder) {
  const file = '/usr/bin/head';
  const args = ['-c', String(GIB), '/dev/zero'];
  const supervisor = new Supervisor({});
  const { level } = await supervisor.ready(15_000);
  const [childPid] = findChildren(process.pid, 'supervisor-child');
  let bareBytes = 0;
  const times = await measureInTurns(
    {
      bare: () =>
        new Promise((resolve, reject) => {
          const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
          child.stdout.on('data', (chunk) => {
            bareBytes += chunk.length;
          });
          child.stderr.resume();
          child.once('error', reject);
          child.once('close', resolve);
        }),
      supervised: async () => {
        const result = await supervisor.run({ file, args, cwd: folder, env: {}, timeoutMs: 120_000 });
        if (result.totalBytes.stdout !== GIB) throw new Error(`counted ${result.totalBytes.stdout} bytes`);
      },
    },
    7,
  );
  if (bareBytes !== 7 * GIB) throw new Error(`the bare spawn read ${bareBytes} bytes`);
  const peak = memoryMiB(childPid, 'VmHWM');
  await supervisor.close();
  const rate = times.bare / times.supervised;
  return [
    {
      what: `drain of 1 GiB at ${level}`,
      value: `${times.supervised.toFixed(0)} ms, bare ${times.bare.toFixed(0)} ms; rate`,
      ratio: rate,
      bar: RATE_BAR,
      good: rate >= RATE_BAR,
      atLeast: true,
    },
    {
      what: 'supervisor peak memory while draining',
      value: `${peak} MiB`,
      bar: `${PEAK_BAR_MIB} MiB`,
      good: peak <= PEAK_BAR_MIB,
    },
  ];
}
