import { closeSync, readdirSync, readFileSync } from 'node:fs';
import { CHANNEL_FD } from '../protocol.js';

/** O_CLOEXEC as /proc prints it: octal. */
const CLOSE_ON_EXEC = 0o2000000;

/** Descriptors below this one are the standard three, and set for every program anyway. */
const FIRST_SLOT = 3;

/**
 * Closes what the host of our host forgot to close, and returns the descriptors that programs would still
 * inherit: the channel, and what could not be closed. Each of those gets /dev/null in its place at every spawn.
 * Called once, before anything else is opened; Node's own descriptors are close-on-exec and stay.
 */
export function closeLeakedDescriptors(): number[] {
  return findLeakedDescriptors().filter((fd) => fd === CHANNEL_FD || !close(fd));
}

function findLeakedDescriptors(): number[] {
  try {
    const open = readdirSync('/proc/self/fd').map(Number);
    return open.filter((fd) => fd >= FIRST_SLOT && isInherited(fd)).sort((a, b) => a - b);
  } catch {
    return [CHANNEL_FD]; // no /proc: at least the one that is ours
  }
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false; // the one with which the listing itself was read
  }
}

function close(fd: number): boolean {
  try {
    closeSync(fd);
    return true;
  } catch {
    return false;
  }
}
