import { chmodSync, copyFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { RawServer } from '../helpers/raw-server.js';
import { makeDirectory, nodeScript, writeSkill } from '../helpers/skills.js';

/** An ordinary user; the tests run as root, or these do not run. */
const NOBODY = 65_534;

// A program that its user may start but not read is one whose /proc/PID/mem is closed to itself.
const folder = makeDirectory();
const node = path.join(folder, 'node');
const root = path.join(folder, 'skills');
let server: RawServer;

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a block that cannot be wiped',
  () => {
    chmodSync(folder, 0o755);
    copyFileSync(process.execPath, node);
    chmodSync(node, 0o711);
    writeSkill(root, 'one', { run: [nodeScript('run.js')], files: { 'run.js': "console.log('ran');\n" } });

    const open = async (env: Record<string, string>) => {
      const grant = JSON.stringify([{ skill: 'one', script: 'run.js' }]);
      server = new RawServer({ node, uid: NOBODY, env: { SKILLS_DIR: root, MCP_SKILL_RUN: grant, ...env } });
      await server.initialize();
    };
    const run = { name: 'one', script: 'run.js', confirm: true };
    const hosted = { MCP_SKILLS_PATH: root, SKILL_MCP_FENCE: 'portable' };

    afterEach(async () => {
      if (server.child.exitCode === null) server.child.kill('SIGKILL');
      await server.exited;
    });

    it('keeps scripts from running under a host, and says so [fence.environ]', async () => {
      await open(hosted);
      expect(await server.refuse('skill_run', run)).toMatch(
        /^environ-unscrubbed.*SKILL_MCP_ALLOW_UNSCRUBBED/,
      );
      expect(await server.refuse('skill_run', { ...run, confirm: false })).toMatch(/^environ-unscrubbed/);
      const { problems } = await server.call('skill_list');
      expect(problems).toContainEqual(expect.objectContaining({ reason: 'environ-unscrubbed' }));
      await server.end();
    });

    it('does not where the operator accepts it', async () => {
      await open({ ...hosted, SKILL_MCP_ALLOW_UNSCRUBBED: '1' });
      expect((await server.call('skill_run', run)).stdout).toBe('ran\n');
      await server.end();
    });

    it('does not where nobody hosts the server, or where the fence hides it', async () => {
      await open({ SKILL_MCP_FENCE: 'portable' });
      expect((await server.call('skill_run', run)).stdout).toBe('ran\n');
      await server.end();
      await open({ MCP_SKILLS_PATH: root });
      const { fence } = await server.call('skill_list');
      if (fence.level === 'namespace') expect((await server.call('skill_run', run)).stdout).toBe('ran\n');
      else expect(await server.refuse('skill_run', run)).toMatch(/^environ-unscrubbed/);
      await server.end();
    });
  },
);
