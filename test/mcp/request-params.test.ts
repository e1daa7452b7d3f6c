import { expect, it } from 'vitest';
import { findParameterFault } from '../../src/mcp/request-params.js';

const call = (params: Record<string, unknown>, method = 'tools/call') =>
  findParameterFault({ jsonrpc: '2.0', id: 1, method, params });

it('says of parameters that do not fit what they must be', () => {
  expect(call({ name: 5 })).toBe('Invalid params: params.name must be a string (got 5)');
  expect(call({})).toBe('Invalid params: params.name must be a string (got nothing)');
  expect(call({ name: 'x', arguments: 'a' })).toBe(
    'Invalid params: params.arguments must be an object (got a string)',
  );
  expect(call({ cursor: 5 }, 'tools/list')).toBe('Invalid params: params.cursor must be a string (got 5)');
  expect(call({ name: 'x', arguments: {} })).toBeUndefined();
});
