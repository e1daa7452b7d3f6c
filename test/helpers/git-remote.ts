import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A world of its own: HOME whose git configuration leads https://github.com/ to bare repositories on this disk. */
export class GitWorld {
  readonly directory = mkdtempSync(path.join(tmpdir(), 'git-world-'));
  readonly home = path.join(this.directory, 'home');
  readonly remotes = path.join(this.directory, 'remotes');
  readonly cache = path.join(this.directory, 'cache');
  readonly config = path.join(this.directory, 'config', 'config.json');

  constructor() {
    mkdirSync(this.home, { recursive: true });
    mkdirSync(this.remotes, { recursive: true });
    this.configure(`[url "file://${this.remotes}/"]\n\tinsteadOf = https://github.com/\n`);
  }

  /** Replaces the user's git configuration. */
  configure(text: string): void {
    writeFileSync(path.join(this.home, '.gitconfig'), text);
  }

  /** Variables of somebody who lives here. */
  get variables(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: this.home,
      SKILLS_MCP_CACHE: this.cache,
      SKILLS_MCP_CONFIG: this.config,
    };
  }

  /** A bare repository `owner/name` with one commit of these files. */
  repository(name: string, files: Readonly<Record<string, string>>, branch = 'main'): Remote {
    const remote = new Remote(path.join(this.remotes, `${name}.git`), this.home, branch);
    remote.commit(files);
    return remote;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** One bare repository and a checkout to commit from. */
export class Remote {
  readonly bare: string;
  readonly work: string;
  readonly #home: string;
  readonly #branch: string;

  constructor(bare: string, home: string, branch: string) {
    this.bare = bare;
    this.work = `${bare}.work`;
    this.#home = home;
    this.#branch = branch;
    mkdirSync(bare, { recursive: true });
    mkdirSync(this.work, { recursive: true });
    this.git(['init', '-q', '--bare', '-b', branch, bare]);
    this.git(['init', '-q', '-b', branch]);
    this.git(['remote', 'add', 'origin', bare]);
    this.inBare(['config', 'uploadpack.allowFilter', 'true']);
  }

  /** Writes files (null removes), commits and pushes; returns the commit's id. */
  commit(files: Readonly<Record<string, string | null>>): string {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(this.work, name);
      if (text === null) rmSync(file, { recursive: true });
      else {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    }
    this.git(['add', '-A']);
    return this.commitStaged();
  }

  commitStaged(): string {
    this.git(['commit', '-q', '--allow-empty', '-m', 'change']);
    this.git(['push', '-q', 'origin', `HEAD:refs/heads/${this.#branch}`]);
    return this.git(['rev-parse', 'HEAD']);
  }

  git(args: readonly string[]): string {
    return run(args, this.work, this.#home);
  }

  inBare(args: readonly string[]): string {
    return run(args, this.bare, this.#home);
  }
}

function run(args: readonly string[], cwd: string, home: string): string {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  };
  return execFileSync('git', [...args], { cwd, env, encoding: 'utf8' }).trim();
}

/** Text of a SKILL.md. */
export function skillText(name: string, body = `Do ${name}.`): string {
  return `---\nname: ${name}\ndescription: How to ${name}.\n---\n${body}\n`;
}
