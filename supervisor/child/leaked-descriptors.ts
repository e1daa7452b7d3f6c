import { readdirSync, readFileSync } from 'node:fs';
import { CHANNEL_FD } from '../protocol.js';

/** O_CLOEXEC as /proc prints it: octal. */
const CLOSE_ON_EXEC = 0o2000000;

/** Descriptors below this one are the standard three, and set for every program anyway. */
const FIRST_SLOT = 3;

/**
 * Descriptors that every program started from here would inherit: the channel, and whatever the host of our
 * host forgot to close. Read once at start, before anything else is opened; each gets /dev/null in its place.
 */
export function findLeakedDescriptors(): number[] {
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
