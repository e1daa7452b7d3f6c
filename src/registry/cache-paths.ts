import { join } from 'node:path';

/** Where the copies of one repository lie. Names that begin with a dot are ours: no skill has one. */
export class CachePaths {
  readonly root: string;

  constructor(cacheDirectory: string, host: string, owner: string, repo: string) {
    this.root = join(cacheDirectory, host, owner, repo);
  }

  /** A verified copy: never written again once it is there. */
  copy(slug: string, treeSha: string): string {
    return join(this.root, slug, treeSha);
  }

  blob(sha: string): string {
    return join(this.root, '.blobs', sha.slice(0, 2), sha.slice(2));
  }

  /** What the head of a branch held when a skill was last asked for. */
  note(branch: string, slug: string): string {
    return join(this.notes(branch), `${slug}.json`);
  }

  /** Folder of the notes of a branch. */
  notes(branch: string): string {
    return join(this.root, '.heads', encodeURIComponent(branch));
  }

  listing(branch: string): string {
    return join(this.root, '.listings', `${encodeURIComponent(branch)}.json`);
  }

  get defaultBranch(): string {
    return join(this.root, '.default-branch.json');
  }

  /** Held by the process of this machine that changes the registry right now. */
  get turn(): string {
    return join(this.root, '.turn');
  }

  get unfinished(): string {
    return join(this.root, '.unfinished');
  }
}
