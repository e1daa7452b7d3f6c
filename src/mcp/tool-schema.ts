import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Refusal } from '../errors/refusal.js';

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
  const parsed = schema.safeParse(dropNulls(args));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Refusal(issue === undefined ? 'the arguments do not fit' : describe(issue, schema), {
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

function describe(issue: z.core.$ZodIssue, schema: z.ZodObject): string {
  if (issue.code === 'unrecognized_keys') {
    return `unknown field ${issue.keys.map((key) => JSON.stringify(key)).join(', ')} (this tool takes ${Object.keys(schema.shape).join(', ')})`;
  }
  const field = issue.path.map(String).join('.');
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined && issue.path.length === 1;
  return `${field}: ${isMissing ? 'is required' : issue.message}`;
}
