import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRegistryTools } from '../../../src/mcp/tools/registry-tools.js';
import { createServeTools } from '../../../src/mcp/tools/serve-tools.js';

// The definitions are data: nothing of what a call needs is touched.
const groups = {
  serve: createServeTools(Object.create(null)),
  registry: createRegistryTools(Object.create(null)),
};
const namesOf = (group: keyof typeof groups) => groups[group].map(({ definition }) => definition.name);
const tools = Object.values(groups)
  .flat()
  .map((tool) => ({ ...tool, name: tool.definition.name }));

/** What changes something, or asks somebody elsewhere; every other tool reads what is here. */
const HINTS: Record<string, { changes?: true; repeats?: true; leaves?: true }> = {
  skill_run: { changes: true, leaves: true },
  list_skills: { repeats: true, leaves: true },
  get_skill: { repeats: true, leaves: true },
  publish_skill: { changes: true, repeats: true, leaves: true },
};
const snapshots = path.resolve(import.meta.dirname, '../../snapshots');

/** Every schema within a schema. */
function nested(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = Array.isArray(schema) ? [] : [schema as Record<string, unknown>];
  return [...own, ...Object.values(schema).flatMap(nested)];
}

it('there are the four tools of the serve group', () => {
  expect(namesOf('serve')).toEqual(['skill_list', 'skill_load', 'skill_file', 'skill_run']);
});

it('there are the three tools of the registry group', () => {
  expect(namesOf('registry')).toEqual(['list_skills', 'get_skill', 'publish_skill']);
});

describe.each(tools)('$name', ({ name, definition }) => {
  it('is shown to clients like this', async () => {
    await expect(`${JSON.stringify(definition, null, 2)}\n`).toMatchFileSnapshot(
      path.join(snapshots, `${name}.json`),
    );
  });

  it('says in its first line what it does, in at most 120 characters', () => {
    const [first = ''] = (definition.description ?? '').split('\n');
    expect(first.length).toBeGreaterThan(20);
    expect(first.length).toBeLessThanOrEqual(120);
    expect(definition.title).toBeTruthy();
  });

  it('has all four annotations', () => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = definition.annotations ?? {};
    const { changes = false, repeats = !changes, leaves = false } = HINTS[name] ?? {};
    expect({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }).toEqual({
      readOnlyHint: !changes,
      destructiveHint: changes,
      idempotentHint: repeats,
      openWorldHint: leaves,
    });
  });

  it('has flat schemas: objects at the top, no union, no reference', () => {
    for (const schema of [definition.inputSchema, definition.outputSchema]) {
      expect(schema?.type).toBe('object');
      expect(schema).not.toHaveProperty('$schema');
      for (const part of nested(schema)) {
        for (const key of ['oneOf', 'anyOf', 'allOf', 'not', '$ref']) expect(part).not.toHaveProperty(key);
        expect(Array.isArray(part.type)).toBe(false);
      }
    }
  });

  it('describes every argument', () => {
    for (const [argument, schema] of Object.entries(definition.inputSchema.properties ?? {})) {
      expect(schema, argument).toHaveProperty('description');
    }
  });

  it('leaves its output open for further fields', () => {
    expect(definition.outputSchema?.additionalProperties).toEqual({});
  });
});
