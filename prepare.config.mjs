// npm runs this after `npm ci` in a clone, and before it packs: the programs in dist/ are built, not committed.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

function isInstalled(name) {
  try {
    require.resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}

const missing = ['esbuild', 'typescript'].filter((name) => !isInstalled(name));
if (missing.length > 0) {
  // `npm ci --omit=dev` leaves the build tools out on purpose; that must not fail the installation.
  console.log(
    `skill-mcp: dist/ is not built, the build tools are missing (${missing.join(', ')}). Run: npm ci`,
  );
} else {
  const { status } = spawnSync('npm run build', { shell: true, stdio: 'inherit', cwd: import.meta.dirname });
  process.exitCode = status ?? 1;
}
