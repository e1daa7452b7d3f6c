import { expect, it } from 'vitest';
import { isReservedName, RESERVED_NAMES } from '../../src/config/reserved-env.js';

it('reserves what steers this server, a host, a loader or a shell', () => {
  const reserved = [
    ...RESERVED_NAMES,
    'LD_PRELOAD',
    'LD_',
    'DYLD_INSERT_LIBRARIES',
    'NODE_CHANNEL_FD',
    'SKILL_MCP_CONFIRM_SECRET',
    'node_options',
    '_',
  ];
  for (const name of reserved) expect(isReservedName(name), name).toBe(true);
  for (const name of [
    'PATH',
    'WEATHER_API_KEY',
    'NODE_ENV',
    'LDAP_URL',
    'ENVIRONMENT',
    'MCP_DATA_DIR',
    'constructor',
  ]) {
    expect(isReservedName(name), name).toBe(false);
  }
});
