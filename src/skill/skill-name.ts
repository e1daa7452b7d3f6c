/** Longest name of a skill, code points. */
const MAX_NAME_LENGTH = 64;

// Format characters, bidirectional marks and controls are in neither class: a name is what it looks like.
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u;

/** A directory's name as a skill's name: under NFC, or undefined when no skill can bear it. */
export function toSkillName(directoryName: string): string | undefined {
  const name = directoryName.normalize('NFC');
  return NAME.test(name) && [...name].length <= MAX_NAME_LENGTH ? name : undefined;
}
