import { z } from 'zod';

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });

/** What of a field's JSON Schema can be said in a sentence. */
const Rule = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  get items() {
    return Rule.optional();
  },
});
type Rule = z.infer<typeof Rule>;

/**
 * The sentence for a field that does not fit: what it must be by its JSON Schema, and of what kind it was. Text of
 * the caller is never repeated. Undefined when the schema has no words for it.
 */
export function describeFault(field: string, schema: unknown, value: unknown): string | undefined {
  const rule = Rule.safeParse(schema);
  const wanted = rule.success ? describeRule(rule.data) : undefined;
  if (wanted === undefined) return undefined;
  return `${field} must be ${wanted} (got ${describeKind(value)})`;
}

/** A value in one or two words; numbers and sizes as they are, texts never. */
export function describeKind(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string';
  return 'an object';
}

function describeRule(rule: Rule): string | undefined {
  if (rule.enum !== undefined) return `one of ${rule.enum.map((word) => JSON.stringify(word)).join(', ')}`;
  switch (rule.type) {
    case 'string':
      return `a string${describeRange(rule.minLength, rule.maxLength, 'characters')}`;
    case 'integer':
      return `a whole number${describeRange(rule.minimum, rule.maximum)}`;
    case 'number':
      return `a number${describeRange(rule.minimum, rule.maximum)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return describeList(rule);
    case 'object':
      return 'an object';
    default:
      return undefined;
  }
}

function describeList({ items, minItems, maxItems }: Rule): string {
  const kind = items?.type === 'string' ? 'strings' : 'entries';
  return `a list of ${kind}${describeRange(minItems, maxItems, 'of them')}`;
}

function describeRange(min: number | undefined, max: number | undefined, unit = ''): string {
  const of = unit === '' ? '' : ` ${unit}`;
  const hasMin = min !== undefined && min > Number.MIN_SAFE_INTEGER;
  const hasMax = max !== undefined && max < Number.MAX_SAFE_INTEGER;
  const lead = unit === '' ? '' : ',';
  if (hasMin && hasMax) return `${lead} from ${numbers.format(min)} to ${numbers.format(max)}${of}`;
  if (hasMin) return `${lead} at least ${numbers.format(min)}${of}`;
  return hasMax ? `${lead} at most ${numbers.format(max)}${of}` : '';
}
