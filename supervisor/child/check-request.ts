import { statSync } from 'node:fs';
import { type Limits, MAX_ARGUMENT_BYTES, RUN_ID_VARIABLE, type RunMessage } from '../protocol.js';
import type { Containment } from './fence/fence.js';
import { isExecutableFile } from './find-tool.js';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Checks again what can be checked on this side, whatever the front did before.
 * Returns one clear line on the first fault, or undefined. Never names a value of a variable.
 */
export function findFault(
  request: RunMessage,
  body: Buffer,
  limits: Limits,
  containment: Containment,
): string | undefined {
  return (
    checkBudgets(request, body, limits) ??
    checkArguments(request.args) ??
    checkEnvironment(request, limits, containment) ??
    checkFiles(request)
  );
}

function checkBudgets(request: RunMessage, body: Buffer, limits: Limits): string | undefined {
  if (request.timeoutMs > limits.maxTimeoutMs) {
    return `a timeout of ${request.timeoutMs} ms, at most ${limits.maxTimeoutMs} are allowed`;
  }
  if (!request.stdin && body.byteLength > 0) return 'bytes for stdin, but no stdin was asked for';
  if (body.byteLength > limits.stdinBytes) {
    return `a stdin of ${body.byteLength} bytes, at most ${limits.stdinBytes} are allowed`;
  }
  return undefined;
}

function checkArguments(args: readonly string[]): string | undefined {
  for (const [index, argument] of args.entries()) {
    if (argument.includes('\0')) return `argument ${index + 1} holds a NUL byte`;
    const bytes = Buffer.byteLength(argument);
    if (bytes > MAX_ARGUMENT_BYTES) {
      return `argument ${index + 1} is ${bytes} bytes, at most ${MAX_ARGUMENT_BYTES} are allowed`;
    }
  }
  return undefined;
}

function checkEnvironment(request: RunMessage, limits: Limits, containment: Containment): string | undefined {
  for (const [name, value] of Object.entries(request.env)) {
    if (!IDENTIFIER.test(name)) return `${JSON.stringify(name.slice(0, 80))} is no name of a variable`;
    if (name === RUN_ID_VARIABLE) return `${name} is set by the supervisor itself`;
    if (value.includes('\0')) return `the value of ${name} holds a NUL byte`;
    const bytes = Buffer.byteLength(name) + 1 + Buffer.byteLength(value);
    if (bytes > MAX_ARGUMENT_BYTES) {
      return `${name} with its value is ${bytes} bytes, at most ${MAX_ARGUMENT_BYTES} are allowed`;
    }
    if (request.script !== undefined && isReserved(name, limits)) return `${name} is a reserved name`;
    if (containment.unavailableVariables.has(name)) {
      return `${name} cannot be handed on at the ${containment.level} level: a shell sets it by itself`;
    }
  }
  return undefined;
}

function isReserved(name: string, limits: Limits): boolean {
  return (
    limits.reservedNames.includes(name) || limits.reservedPrefixes.some((prefix) => name.startsWith(prefix))
  );
}

function checkFiles(request: RunMessage): string | undefined {
  if (request.file.includes('\0') || request.cwd.includes('\0')) return 'a path holds a NUL byte';
  if (!isExecutableFile(request.file)) return `${request.file} is no executable file`;
  if (!isDirectory(request.cwd)) return `${request.cwd} is no directory`;
  return undefined;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
