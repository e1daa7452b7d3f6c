import { isFault } from './fault.js';
import type { GitData } from './git-data.js';
import type { Operation } from './operation.js';

/** One line and no part of a skill: the first skill is published like every other one. */
const README = '# Agent Skills: one folder for each skill, with a SKILL.md in it\n';

/** Gives a repository without any commit its first one; without it GitHub refuses every call of its Git Data API. */
export async function startRegistry(git: GitData, operation: Operation, branch: string): Promise<void> {
  try {
    await git.createFirstFile(operation, 'README.md', README, branch);
  } catch (error) {
    // Two first publishers: the one who comes second finds the file, or a branch that moves.
    if (!isFault(error, 'rejected')) throw error;
    await git.readBranch(operation, branch);
  }
}
