import { Refusal } from '../errors/refusal.js';

/** Bounds of one call; a script that needs more takes a file or stdin. */
const MAX_ARGUMENTS = 64;
const MAX_ARGUMENT_BYTES_IN_ALL = 8 * 1024;
const MAX_STDIN_BYTES = 1024 * 1024;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Arguments are passed on verbatim; what cannot be is refused. Throws a Refusal. */
export function checkArguments(args: readonly string[]): void {
  if (args.length > MAX_ARGUMENTS) {
    throw new Refusal(`args: ${args.length} arguments, at most ${MAX_ARGUMENTS} are passed on`, {
      hint: 'hand long lists over through stdin',
    });
  }
  const bytes = args.reduce((sum, argument) => sum + Buffer.byteLength(argument), 0);
  if (bytes > MAX_ARGUMENT_BYTES_IN_ALL) {
    throw new Refusal(`args: ${bytes} bytes in all, at most ${MAX_ARGUMENT_BYTES_IN_ALL} are passed on`, {
      hint: 'hand long texts over through stdin',
    });
  }
  const nul = args.findIndex((argument) => argument.includes('\0'));
  if (nul !== -1) throw new Refusal(`args[${nul}] holds a NUL character, which no program can be given`);
  const broken = args.findIndex((argument) => LONE_SURROGATE.test(argument));
  if (broken !== -1) throw new Refusal(`args[${broken}] holds half a character (a lone surrogate)`);
}

/** Throws a Refusal for a stdin that is too long. */
export function checkStdin(stdin: string | undefined): void {
  const bytes = Buffer.byteLength(stdin ?? '');
  if (bytes <= MAX_STDIN_BYTES) return;
  throw new Refusal(`stdin: ${bytes} bytes, at most ${MAX_STDIN_BYTES} are passed on`);
}
