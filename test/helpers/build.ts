import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Before any test file runs: builds dist/ once, so that no test ever meets an old bundle, and gives all tests one
 * temporary directory, which is gone after the last of them.
 */
export default function prepareOnce(): () => void {
  if (!process.env.SKILL_MCP_TEST_NO_BUILD) build();
  const scratch = mkdtempSync(path.join(tmpdir(), 'skill-mcp-tests-'));
  // Some tests become another user.
  chmodSync(scratch, 0o1777);
  process.env.TMPDIR = scratch;
  return () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
}

function build(): void {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const built = spawnSync(process.execPath, ['esbuild.config.mjs'], { cwd: root, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`build failed:\n${built.stdout}${built.stderr}`);
}
