import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Refusal } from '../errors/refusal.js';
import { describeFault } from './describe-fault.js';

type ObjectSchema = Tool['inputSchema'];

/** The JSON Schema that tools/list shows for a zod object. */
export function toJsonSchema(schema: z.ZodObject): ObjectSchema {
  const { $schema: _dialect, type: _type, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return ObjectSchemaShape.parse({ type: 'object', ...rest });
}

const ObjectSchemaShape = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.json()).optional(),
  required: z.array(z.string()).optional(),
});

/**
 * Parses the arguments of a call. An optional field that is null counts as absent, since models send it so.
 * Throws a Refusal that names the first fault and, where there is one, shows the right shape.
 */
export function parseArguments<S extends z.ZodObject>(schema: S, args: unknown, shape: string): z.infer<S> {
  const fields = dropNulls(args);
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Refusal(issue === undefined ? 'the arguments do not fit' : describe(issue, schema, fields), {
    hint: `the right shape is ${shape}`,
  });
}

/** The fields of the arguments as they came, or an empty object. */
export function dropNulls(args: unknown): Record<string, unknown> {
  if (typeof args !== 'object' || args === null) return {};
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/** A list that a model sent as a JSON string, as the list; anything else unchanged. */
export function readStringifiedList(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : value;
  } catch {
    return value;
  }
}

function describe(issue: z.core.$ZodIssue, schema: z.ZodObject, fields: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    return `unknown field ${issue.keys.map((key) => JSON.stringify(key)).join(', ')} (this tool takes ${Object.keys(schema.shape).join(', ')})`;
  }
  const field = issue.path.map(String).join('.');
  const value = readAt(fields, issue.path);
  if (value === undefined && issue.path.length === 1) return `${field}: is required`;
  // The words of a rule of our own stand in its schema; the library's own words are for programmers.
  if (issue.code === 'invalid_format' || issue.code === 'custom') return `${field} ${issue.message}`;
  return describeFault(field, findRule(schema, issue.path), value) ?? `${field} does not fit`;
}

/** The JSON Schema of what stands at a path. */
function findRule(schema: z.ZodObject, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((rule, step) => {
    const below = typeof step === 'number' ? readAt(rule, ['items']) : readAt(rule, ['properties', step]);
    return below ?? readAt(rule, ['additionalProperties']);
  }, toJsonSchema(schema));
}

function readAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (holder, step) =>
      typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step)
        ? Reflect.get(holder, step)
        : undefined,
    value,
  );
}
