import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  costOf,
  firstLine,
  MAX_COST,
  MAX_PROSE,
  renderTool,
  renderType,
} from '../../../bench/render-tools.mjs';
import { writeInstructions } from '../../../src/mcp/instructions.js';
import { createFindTools } from '../../../src/mcp/tools/find-tools.js';

// The definitions are data: nothing of what a call needs is touched.
const tools = createFindTools(Object.create(null)).map((tool) => ({ ...tool, name: tool.definition.name }));
const snapshots = path.resolve(import.meta.dirname, '../../snapshots');

/** Every schema within a schema. */
function nested(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = Array.isArray(schema) ? [] : [schema as Record<string, unknown>];
  return [...own, ...Object.values(schema).flatMap(nested)];
}

it('there are the four tools of the find group', () => {
  expect(tools.map(({ name }) => name)).toEqual(['find', 'load', 'read', 'sources']);
});

describe.each(tools)('$name', ({ name, definition }) => {
  it('is shown to clients like this', async () => {
    await expect(`${JSON.stringify(definition, null, 2)}\n`).toMatchFileSnapshot(
      path.join(snapshots, `${name}.json`),
    );
  });

  it('says in its first line what it does, in at most 120 characters', () => {
    const first = firstLine(definition.description ?? '');
    expect(first.length).toBeGreaterThan(20);
    expect(first.length).toBeLessThanOrEqual(120);
    expect(definition.title).toBeTruthy();
  });

  it('has all four annotations', () => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = definition.annotations ?? {};
    const changes = name === 'sources';
    expect({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }).toEqual({
      readOnlyHint: !changes,
      destructiveHint: changes,
      idempotentHint: !changes,
      openWorldHint: changes || name === 'find',
    });
  });

  it('has a flat input without unions, lengths and descriptions', () => {
    expect(definition.inputSchema.type).toBe('object');
    for (const part of nested(definition.inputSchema)) {
      for (const key of [
        'oneOf',
        'anyOf',
        'allOf',
        '$ref',
        'description',
        'minLength',
        'maxLength',
        'minimum',
      ]) {
        expect(part).not.toHaveProperty(key);
      }
      expect(Array.isArray(part.type)).toBe(false);
    }
  });

  it('leaves its output open for further fields, without saying so', () => {
    expect(definition.outputSchema?.type).toBe('object');
    for (const part of nested(definition.outputSchema))
      expect(part).not.toHaveProperty('additionalProperties');
  });
});

describe('the fixed cost', () => {
  it('of the four tools and the instructions is within the budget [find.budget]', () => {
    const instructions = writeInstructions(['find']);
    expect(instructions).not.toContain('\n');
    const lines = [...tools.map(({ definition }) => renderTool(definition)), instructions];
    expect(lines.reduce((sum, line) => sum + costOf(line), 0)).toBeLessThanOrEqual(MAX_COST);
    const prose = [...tools.map(({ definition }) => firstLine(definition.description ?? '')), instructions];
    expect(prose.join('').length).toBeLessThanOrEqual(MAX_PROSE);
  });

  it('counts what a client prints', () => {
    const string = { type: 'string' };
    expect(renderType({ enum: ['a', 'b'] })).toBe('"a" | "b"');
    expect(renderType({ anyOf: [{ type: 'boolean' }, { type: 'null' }] })).toBe('boolean | null');
    expect(renderType({ type: 'array', items: { type: 'integer' } })).toBe('Array<number>');
    expect(renderType({ type: 'object', properties: {}, additionalProperties: {} })).toBe(
      '{ [key: string]: unknown }',
    );
    const inputSchema = { type: 'object', properties: { a: string, b: string }, required: ['a'] };
    const line = renderTool({ name: 't', description: `${'x'.repeat(130)}\nmore`, inputSchema });
    expect(line).toBe(
      `  - tools.skills.t(input: { a: string; b?: string }): Promise<unknown> // ${'x'.repeat(117)}...`,
    );
    expect(costOf('123456')).toBe(2);
  });
});
