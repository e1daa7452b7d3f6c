import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds dist/ once before any test file runs, so that no test ever meets an old bundle. */
export default function buildOnce(): void {
  if (process.env.SKILL_MCP_TEST_NO_BUILD) return;
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const built = spawnSync(process.execPath, ['esbuild.config.mjs'], { cwd: root, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`build failed:\n${built.stdout}${built.stderr}`);
}
