import { parseCommandLine } from '../config/command-line.js';
import { readSettings } from '../config/environment.js';
import type { Command } from './command.js';
import { examine } from './doctor/examine.js';
import { writeReport } from './doctor/write-report.js';

const USAGE = `usage: skill-mcp doctor [--json] [--root DIR]...

Tries out what this machine and the settings give, and prints it: Node, the levels of the fence and why one is
missing, interpreters, roots, the grant, the environment. Runs no script.

  --json       print the findings as JSON
  --root DIR   as for the server; may be repeated

exit code: 0 scripts can run, 1 no script can run (the last line says why), 2 the arguments are not understood
`;

/** Says what this machine gives. */
export const doctor: Command = {
  usage: USAGE,
  run: async ({ arguments: argv, start, scrub, version, output }) => {
    const isJson = argv.includes('--json');
    const settings = readSettings({
      ...start,
      arguments: parseCommandLine(argv.filter((argument) => argument !== '--json')),
    });
    const { platform, version: nodeVersion } = process;
    const found = await examine({ settings, scrub, version, node: { version: nodeVersion, platform } });
    output.write(isJson ? `${JSON.stringify(found, null, 2)}\n` : writeReport(found));
    return found.refusal === undefined ? 0 : 1;
  },
};
