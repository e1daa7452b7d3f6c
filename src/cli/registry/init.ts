import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseRegistryText } from '../../config/registry-config.js';
import { describeErrno, errnoOf } from '../../errors/errno.js';
import { Refusal } from '../../errors/refusal.js';
import { readOption, type Subcommand } from './subcommand.js';
import { UsageError } from './usage-error.js';

/** `skill-mcp registry init`: writes the configuration file, and never over one that is there. */
export const init: Subcommand = {
  name: 'init',
  shape: 'init --repo owner/name',
  summary: 'write the configuration file',
  options: { repo: { type: 'string' } },
  positionals: [],
  run: async ({ settings: { configFile } }, _positionals, options) => {
    const text = readOption(options, 'repo');
    if (text === undefined) throw new UsageError('init needs --repo owner/name');
    const config = parseRegistryText(text);
    if ('fault' in config) throw new UsageError('--repo must be owner/name');
    const { owner, repo, branch } = config;
    const lines = ['[registry]', `repo = "${owner}/${repo}"`];
    if (branch !== undefined) lines.push(`default_branch = ${JSON.stringify(branch)}`);
    try {
      await mkdir(dirname(configFile), { recursive: true });
      await writeFile(configFile, `${lines.join('\n')}\n`, { flag: 'wx' });
    } catch (error) {
      if (errnoOf(error) === 'EEXIST')
        throw new Refusal(`${configFile} is there already and was not changed`);
      throw new Refusal(`${configFile} cannot be written: ${describeErrno(error)}`);
    }
    return { text: `Wrote ${configFile}`, json: { path: configFile, repo: `${owner}/${repo}` } };
  },
};
