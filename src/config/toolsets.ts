import { CommandLineError } from './command-line.js';
import { TOOLSETS, type Toolset } from './settings.js';

/** The groups of tools that are on, in the order of TOOLSETS. Throws a CommandLineError for an unknown name. */
export function readToolsets(written: string | undefined, where: string): readonly Toolset[] {
  const names = (written ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) return ['serve'];
  const unknown = names.find((name) => !TOOLSETS.some((toolset) => toolset === name));
  if (unknown !== undefined) {
    throw new CommandLineError(
      `${where}: unknown toolset ${JSON.stringify(unknown)}; known: ${TOOLSETS.join(', ')}`,
    );
  }
  return TOOLSETS.filter((toolset) => names.includes(toolset));
}
