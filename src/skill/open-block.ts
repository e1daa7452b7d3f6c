import type { Finding } from './finding.js';
import { type ParsedBlock, parseYaml } from './parse-yaml.js';
import { quotePlainValues } from './recover-yaml.js';

/** Why a block cannot be read, one line with its place. */
export interface BlockFault {
  readonly fault: string;
}

/** A block that parses, perhaps with help that is announced in `findings`. */
export interface OpenedBlock {
  readonly parsed: ParsedBlock;
  readonly recovered: boolean;
  readonly findings: readonly Finding[];
}

/** Parses a block; the one most common fault, an unquoted value, is mended and said unless `strict`. */
export function openBlock(block: string, { strict }: { strict: boolean }): OpenedBlock | BlockFault {
  const parsed = parseYaml(block);
  if (!('fault' in parsed)) return { parsed, recovered: false, findings: [] };
  const recovery = quotePlainValues(block);
  const mended = recovery && parseYaml(recovery.block);
  if (recovery === undefined || mended === undefined || 'fault' in mended) return parsed;
  const hint = `quote the value at ${recovery.quoted.join(', ')}`;
  if (strict) return { fault: `${parsed.fault}; ${hint}` };
  const finding: Finding = { reason: 'malformed-frontmatter', detail: `recovered: ${hint}` };
  return { parsed: mended, recovered: true, findings: [finding] };
}
