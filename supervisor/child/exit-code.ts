/** How this process ends; nobody but a reader of logs needs the number. */
export const EXIT = {
  /** Said goodbye, or ended by a signal after the ladder. */
  done: 0,
  /** A mistake of ours; every run was ended with SIGKILL. */
  crashed: 70,
  /** The channel closed without a goodbye. */
  frontLost: 75,
  /** Bytes or messages that are not the protocol. */
  protocolFault: 76,
  /** Not started as the start command does it. */
  usage: 64,
} as const;
