// A catalog of ten thousand skills as a client meets it: the handshake, the first page, later pages, an edit, the memory.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureInTurns, memoryMiB } from './measure.mjs';
import { INITIALIZE, makeSkills, SERVER, startServer } from './server.mjs';

const SKILLS = 10_000;
const LIMITS = { handshakeMs: 1_500, coldMs: 3_000, warmMs: 50, memoryMiB: 250 };

export async function measureCatalog(folder) {
  const root = join(folder, 'catalog');
  await makeSkills(root, SKILLS);
  const startMs = performance.now();
  const server = startServer(SERVER, { SKILLS_DIR: root });
  const timed = async (work) => {
    const fromMs = performance.now();
    await work();
    return performance.now() - fromMs;
  };
  await server.ask('initialize', INITIALIZE);
  const handshake = performance.now() - startMs;
  const cold = await timed(() => server.callTool('skill_list', {}));
  // What was written a moment before is read once more; the catalog has settled after that.
  await server.callTool('skill_list', {});
  const warm = await measureInTurns(
    {
      page: () => server.callTool('skill_list', {}),
      query: () => server.callTool('skill_list', { query: 'number 77' }),
      load: () => server.callTool('skill_load', { name: 'skill-00077' }),
    },
    15,
  );
  const name = 'skill-00099';
  await writeFile(join(root, name, 'SKILL.md'), `---\nname: ${name}\ndescription: Edited.\n---\n`);
  const edited = await timed(() => server.callTool('skill_list', {}));
  const memory = memoryMiB(server.child.pid, 'VmHWM');
  await server.end();
  const row = (what, value, limit) => ({
    what: `${what}, 10,000 skills`,
    value: `${value.toFixed(0)} ms`,
    ...(limit !== undefined && { bar: `${limit.toLocaleString('en')} ms`, good: value < limit }),
  });
  return [
    row('start to initialize answered', handshake, LIMITS.handshakeMs),
    row('first page, cold', cold, LIMITS.coldMs),
    row('first page, warm', warm.page, LIMITS.warmMs),
    row('a query, warm', warm.query),
    row('one skill loaded, warm', warm.load),
    row('first page after an edit', edited),
    {
      what: 'memory of the front, 10,000 skills',
      value: `${memory} MiB`,
      bar: `${LIMITS.memoryMiB} MiB`,
      good: memory < LIMITS.memoryMiB,
    },
  ];
}
