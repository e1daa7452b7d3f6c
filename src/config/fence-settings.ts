import type { FenceLevel, FenceRequest } from '../../supervisor/index.js';
import type { ValueReader } from './value-reader.js';

/** How runs are to be contained; with a fault, none may start. */
export interface FenceSettings {
  readonly fence: FenceRequest;
  readonly minFence: FenceLevel | undefined;
  readonly fenceFault: string | undefined;
}

const LEVELS = ['portable', 'namespace', 'sandbox'] as const satisfies readonly FenceLevel[];
const REQUESTS = ['auto', ...LEVELS] as const satisfies readonly FenceRequest[];

// Containment that somebody asks for and does not get must stop the run, not be overlooked.
const NOT_AVAILABLE = [
  'SKILL_MCP_RUN_AS',
  'SKILL_MCP_CGROUP',
  'SKILL_MCP_LIMITS',
  'SKILL_MCP_NODE_PERMISSION',
];

/** Reads the fence variables; whatever is not understood fails closed. */
export function readFence(reader: ValueReader): FenceSettings {
  const faults = [
    ...[
      { name: 'SKILL_MCP_FENCE', words: REQUESTS },
      { name: 'SKILL_MCP_MIN_FENCE', words: LEVELS },
    ]
      .filter(({ name, words }) => !isOneOf(words, reader.text(name) ?? words[0]))
      .map(({ name, words }) => `${name} must be one of ${words.join(', ')}`),
    ...NOT_AVAILABLE.filter((name) => reader.text(name) !== undefined).map(
      (name) => `${name} asks for a containment that this version does not have`,
    ),
  ];
  for (const fault of faults) reader.report(fault.split(' ', 1)[0] ?? '', `${fault}; no script runs`);
  return {
    fence: REQUESTS.find((word) => word === reader.text('SKILL_MCP_FENCE')) ?? 'auto',
    minFence: LEVELS.find((word) => word === reader.text('SKILL_MCP_MIN_FENCE')),
    fenceFault: faults[0],
  };
}

function isOneOf(words: readonly string[], value: string | undefined): boolean {
  return value !== undefined && words.includes(value);
}
