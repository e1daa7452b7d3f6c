import { expect, it } from 'vitest';
import { findCarriers } from '../../../supervisor/child/sweep-by-ps.js';

it('finds the mark as a word of its own only, and never ourselves', () => {
  const cookie = 'SKILL_MCP_RUN_ID=run-12345678';
  const table = [
    `  101 sleep 40 PATH=/bin ${cookie} HOME=/`,
    `  102 sleep 40 ${cookie}9`,
    `  103 sleep 40 X${cookie}`,
    `${process.pid} node ${cookie}`,
    `    1 init ${cookie}`,
    '  104 sleep 40',
    `  105 sh -c x ${cookie}`,
  ].join('\n');
  expect(findCarriers(table, cookie)).toEqual([101, 105]);
});
