import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readRegistrySettings } from '../../../src/config/registry-settings.js';
import { ToolRunner } from '../../../src/process/tool-command.js';
import { Operation } from '../../../src/registry/operation.js';
import type { Payload } from '../../../src/registry/payload.js';
import type { PublishRequest } from '../../../src/registry/publish-skill.js';
import { Registry, type RegistryParts } from '../../../src/registry/registry.js';
import type { FakeGitHub } from './server.js';

/** Why the tests that need gh are skipped; undefined where it is installed. */
export const GH_MISSING =
  spawnSync('gh', ['--version']).status === 0 ? undefined : 'skipped: gh is not installed';

const CHILD = fileURLToPath(new URL('../../../dist/supervisor-child.js', import.meta.url));

/** A registry of this process that talks to the fake through the real gh. */
export interface OpenRegistry {
  registry: Registry;
  parts: RegistryParts;
  lines: string[];
  operation(signal?: AbortSignal): Operation;
  close(): Promise<void>;
}

export function openRegistry(fake: FakeGitHub, variables: Record<string, string> = {}): OpenRegistry {
  const all: Record<string, string> = { SKILLS_REGISTRY: 'acme/skills', ...fake.variables, ...variables };
  const settings = readRegistrySettings(all, all.HOME);
  if ('fault' in settings.config) throw new Error(settings.config.fault);
  const runner = new ToolRunner({ env: all, entry: CHILD });
  const lines: string[] = [];
  const log = { info: (line: string) => lines.push(line), debug: (line: string) => lines.push(line) };
  const parts: RegistryParts = {
    settings,
    config: settings.config,
    run: (command) => runner.run(command),
    log,
    now: Date.now,
    random: Math.random,
  };
  return {
    registry: new Registry(parts),
    parts,
    lines,
    operation: (signal = new AbortController().signal) => new Operation(signal),
    close: () => runner.close(),
  };
}

/** A SKILL.md that may be published under that name. */
export function skillMd(name: string, body = 'Do it.'): string {
  return `---\nname: ${name}\ndescription: What ${name} does.\n---\n${body}\n`;
}

/** A publication with everything at its usual value. */
export function request(name: string, payload: Payload, more: Partial<PublishRequest> = {}): PublishRequest {
  return { name, payload, dryRun: false, overwrite: false, ...more };
}
