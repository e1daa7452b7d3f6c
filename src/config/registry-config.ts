import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { z } from 'zod';

/** The registry that this server reads and writes: one repository on one host. */
export interface RegistryConfig {
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
  /** Undefined: the repository's own default branch. */
  readonly branch: string | undefined;
}

/** Why there is no usable configuration: one line that names the place to mend it. */
export interface RegistryConfigFault {
  readonly fault: string;
}

const DEFAULT_HOST = 'github.com';

const File = z.looseObject({
  registry: z.looseObject({
    repo: z.string(),
    default_branch: z.string().optional(),
    host: z.string().optional(),
  }),
});

/** The file's path below a directory of configurations. */
export function registryFile(configDirectory: string): string {
  return join(configDirectory, 'skills-mcp', 'registry.toml');
}

/** Reads SKILLS_REGISTRY (`text`; blank counts as unset), else the file. Never throws. */
export function readRegistryConfig(
  text: string | undefined,
  file: string,
): RegistryConfig | RegistryConfigFault {
  if (text !== undefined && text.trim() !== '') return parseRegistryText(text.trim());
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return { fault: `${file} cannot be read: ${code}` };
    return {
      fault: `no registry is configured: set SKILLS_REGISTRY=owner/name or write ${file} (skill-mcp registry init --repo owner/name)`,
    };
  }
  return parseRegistryFile(content, file);
}

/** `owner/name[@branch]`; the branch may hold `/`, `#` and `@`. */
export function parseRegistryText(text: string): RegistryConfig | RegistryConfigFault {
  const at = text.indexOf('@');
  const repository = at === -1 ? text : text.slice(0, at);
  const branch = at === -1 ? undefined : text.slice(at + 1).trim() || undefined;
  return check(
    { repository, branch, host: DEFAULT_HOST },
    'SKILLS_REGISTRY',
    'owner/name or owner/name@branch',
  );
}

function parseRegistryFile(content: string, file: string): RegistryConfig | RegistryConfigFault {
  let table: unknown;
  try {
    table = parse(content);
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
    return { fault: `${file} is no TOML: ${reason}` };
  }
  const parsed = File.safeParse(table);
  if (!parsed.success) {
    const at = parsed.error.issues[0]?.path.map(String).join('.') || 'registry';
    return { fault: `${file}: ${at} is missing or no text; it needs [registry] with repo = "owner/name"` };
  }
  const { repo, default_branch: branch, host } = parsed.data.registry;
  const values = {
    repository: repo,
    branch: branch?.trim() || undefined,
    host: host?.trim() || DEFAULT_HOST,
  };
  return check(values, `${file}: registry.repo`, 'owner/name');
}

function check(
  { repository, branch, host }: { repository: string; branch: string | undefined; host: string },
  where: string,
  shape: string,
): RegistryConfig | RegistryConfigFault {
  const [owner = '', repo = '', ...more] = repository.split('/');
  // GitHub's own rules: anything else could leave the path of the API or of the cache.
  const isName = (name: string) => /^[A-Za-z0-9._-]+$/.test(name) && !/^\.+$/.test(name);
  if (more.length > 0 || !isName(owner) || !isName(repo)) return { fault: `${where} must be ${shape}` };
  if (!/^[A-Za-z0-9.-]+(?::\d+)?$/.test(host) || host.startsWith('.')) {
    return { fault: `${where}: the host is no host name` };
  }
  // git's rules for a branch, as far as they guard the path that it becomes.
  if (branch !== undefined && (/[\p{Cc} ~^:?*[\\]|\.\.|^[-/]|\/$|\/\/|@\{/u.test(branch) || branch === '')) {
    return { fault: `${where}: the branch is no name of a branch` };
  }
  return { host: host.toLowerCase(), owner, repo, branch };
}
