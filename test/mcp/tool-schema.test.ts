import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseArguments } from '../../src/mcp/tool-schema.js';

const Input = z.strictObject({
  name: z.string(),
  limit: z.number().int().min(1).max(1_000).optional(),
  cursor: z.string().optional(),
  paths: z.array(z.string()).min(1).max(8).optional(),
  confirm: z.boolean().optional(),
  kind: z.enum(['a', 'b']).optional(),
  files: z.record(z.string(), z.string()).optional(),
  digest: z.string().regex(/^x$/, 'must be an x').optional(),
});

describe('a field that does not fit is named with what it must be and what it was', () => {
  it.each([
    [{}, 'name: is required'],
    [{ name: null }, 'name: is required'],
    [{ name: 5 }, 'name must be a string (got 5)'],
    [{ name: '', limit: '5' }, 'limit must be a whole number from 1 to 1,000 (got a string)'],
    [{ name: '', limit: 0 }, 'limit must be a whole number from 1 to 1,000 (got 0)'],
    [{ name: '', limit: 1.5 }, 'limit must be a whole number from 1 to 1,000 (got 1.5)'],
    [{ name: '', limit: 1001 }, 'limit must be a whole number from 1 to 1,000 (got 1001)'],
    [{ name: '', cursor: 5 }, 'cursor must be a string (got 5)'],
    [{ name: '', cursor: {} }, 'cursor must be a string (got an object)'],
    [{ name: '', paths: 't.md' }, 'paths must be a list of strings, from 1 to 8 of them (got a string)'],
    [{ name: '', paths: [] }, 'paths must be a list of strings, from 1 to 8 of them (got a list of 0)'],
    [{ name: '', paths: ['a', 5] }, 'paths.1 must be a string (got 5)'],
    [{ name: '', confirm: 'true' }, 'confirm must be true or false (got a string)'],
    [{ name: '', kind: 'c' }, 'kind must be one of "a", "b" (got a string)'],
    [{ name: '', files: 'x' }, 'files must be an object (got a string)'],
    [{ name: '', files: { 'a.md': 1 } }, 'files.a.md must be a string (got 1)'],
    [{ name: '', digest: 'y' }, 'digest must be an x'],
  ])('%j', (args, message) => {
    expect(() => parseArguments(Input, args, '{}')).toThrow(expect.objectContaining({ message }));
  });

  it('takes what fits, an optional null included', () => {
    expect(parseArguments(Input, { name: 'a', limit: null, paths: ['b'] }, '{}')).toEqual({
      name: 'a',
      paths: ['b'],
    });
  });
});
