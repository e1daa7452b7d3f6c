import { type JSONRPCMessage, type StandardSchemaV1, specTypeSchemas } from '@modelcontextprotocol/server';
import { toOneLine } from '../errors/sanitize.js';

const MAX_FAULT_CHARACTERS = 300;

/** The requests whose parameters a client can get wrong. */
const SCHEMAS = new Map<string, StandardSchemaV1>([
  ['initialize', specTypeSchemas.InitializeRequest],
  ['tools/list', specTypeSchemas.ListToolsRequest],
  ['tools/call', specTypeSchemas.CallToolRequest],
]);

/**
 * What is wrong with the parameters of a request, in one line; undefined when nothing is. The SDK would answer with
 * its validator's whole report, for some methods as an internal error.
 */
export function findParameterFault(message: JSONRPCMessage): string | undefined {
  if (!('method' in message) || !('id' in message)) return undefined;
  const schema = SCHEMAS.get(message.method);
  const { id: _id, jsonrpc: _version, ...request } = message;
  const result = schema?.['~standard'].validate(request);
  if (result === undefined || result instanceof Promise || result.issues === undefined) return undefined;
  const [issue] = result.issues;
  const where = (issue?.path ?? [])
    .map((part) => String(typeof part === 'object' ? part.key : part))
    .join('.');
  return toOneLine(`Invalid params: ${where}: ${issue?.message ?? 'not valid'}`, MAX_FAULT_CHARACTERS);
}
