// How a client with a code mode writes tools into each step of its agents: one line a tool, types as TypeScript.
// One token is taken as four characters, rounded line by line, as that client does.

const MAX_FIRST_LINE = 120;
const CHARACTERS_PER_TOKEN = 4;

/** Most that the tools of the group `find` and the instructions may cost together, tokens. */
export const MAX_COST = 320;

/** Most characters that their four first lines and the instructions may have together. */
export const MAX_PROSE = 400;

/** The line that a tool becomes. */
export function renderTool({ name, description = '', inputSchema, outputSchema }) {
  const first = firstLine(description);
  const shown = first.length > MAX_FIRST_LINE ? `${first.slice(0, MAX_FIRST_LINE - 3)}...` : first;
  const result = outputSchema === undefined ? 'unknown' : renderType(outputSchema);
  return `  - tools.skills.${name}(input: ${renderType(inputSchema)}): Promise<${result}>${shown && ` // ${shown}`}`;
}

/** Tokens of one line. */
export function costOf(line) {
  return Math.round(line.length / CHARACTERS_PER_TOKEN);
}

export function firstLine(description) {
  return description.split('\n', 1)[0].trim();
}

/** A JSON Schema as a type on one line. */
export function renderType(schema) {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return variants.map(renderType).join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => renderType({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'integer':
      return 'number';
    case 'array':
      return `Array<${renderType(schema.items ?? {})}>`;
    case 'object':
      return renderObject(schema);
    case undefined:
      return 'unknown';
    default:
      return schema.type;
  }
}

function renderObject({ properties = {}, required = [], additionalProperties }) {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${renderType(field)}`,
  );
  if (typeof additionalProperties === 'object')
    fields.push(`[key: string]: ${renderType(additionalProperties)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
}
