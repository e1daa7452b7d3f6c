import { type JSONRPCMessage, type StandardSchemaV1, specTypeSchemas } from '@modelcontextprotocol/server';
import { toOneLine } from '../errors/sanitize.js';
import { describeFault } from './describe-fault.js';

const MAX_FAULT_CHARACTERS = 300;

/** The requests whose parameters a client can get wrong. */
const SCHEMAS = new Map<string, StandardSchemaV1>([
  ['initialize', specTypeSchemas.InitializeRequest],
  ['tools/list', specTypeSchemas.ListToolsRequest],
  ['tools/call', specTypeSchemas.CallToolRequest],
  ['prompts/list', specTypeSchemas.ListPromptsRequest],
  ['prompts/get', specTypeSchemas.GetPromptRequest],
  ['resources/list', specTypeSchemas.ListResourcesRequest],
  ['resources/templates/list', specTypeSchemas.ListResourceTemplatesRequest],
  ['resources/read', specTypeSchemas.ReadResourceRequest],
  ['resources/subscribe', specTypeSchemas.SubscribeRequest],
  ['resources/unsubscribe', specTypeSchemas.UnsubscribeRequest],
  ['completion/complete', specTypeSchemas.CompleteRequest],
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
  const path = (issue?.path ?? []).map((part) => (typeof part === 'object' ? part.key : part));
  const value = path.reduce<unknown>(
    (holder, step) => (typeof holder === 'object' && holder !== null ? Reflect.get(holder, step) : undefined),
    request,
  );
  const words = describeFault(path.map(String).join('.'), { type: readExpected(issue) }, value);
  return toOneLine(
    `Invalid params: ${words ?? `${path.map(String).join('.')} does not fit`}`,
    MAX_FAULT_CHARACTERS,
  );
}

/** The type that a validator wanted, by the name that JSON Schema has for it. */
function readExpected(issue: object | undefined): string | undefined {
  if (issue === undefined || !('expected' in issue) || typeof issue.expected !== 'string') return undefined;
  return issue.expected === 'record' ? 'object' : issue.expected;
}
