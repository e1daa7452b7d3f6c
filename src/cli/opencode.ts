import { CommandLineError } from '../config/command-line.js';
import type { Command } from './command.js';

/** Moves an OpenCode setup to this server, and back. */
export const opencodeCommand: Command = {
  usage: ['opencode plan|apply|verify|revert|coverage'],
  help: '',
  run: async () => {
    throw new CommandLineError('not written yet');
  },
};
