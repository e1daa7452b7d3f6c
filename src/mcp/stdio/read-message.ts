import { type JSONRPCMessage, ProtocolErrorCode, parseJSONRPCMessage } from '@modelcontextprotocol/server';

/** Longest id that is echoed, characters; a longer one is answered without an id. */
const MAX_ID_CHARACTERS = 1_024;

/** What one line was: a message, something to answer at once, something worth a note, or nothing. */
export type Incoming =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | {
      readonly kind: 'fault';
      readonly id: string | number | null;
      readonly code: number;
      readonly text: string;
    }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'blank' };

const fault = (id: string | number | null, code: number, text: string): Incoming => ({
  kind: 'fault',
  id,
  code,
  text,
});

/** Reads one line of JSON-RPC. Never throws: a bad line costs itself, not the session. */
export function readMessage(bytes: Uint8Array): Incoming {
  let text: string;
  try {
    // A byte-order mark before the text is dropped by the decoder.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return fault(null, ProtocolErrorCode.ParseError, 'Parse error: the line is not valid UTF-8');
  }
  if (text.trim() === '') return { kind: 'blank' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault(null, ProtocolErrorCode.ParseError, 'Parse error: the line is not valid JSON');
  }
  return judge(value);
}

function judge(value: unknown): Incoming {
  if (Array.isArray(value)) {
    return fault(null, ProtocolErrorCode.InvalidRequest, 'Invalid request: batches are not supported');
  }
  if (!isObject(value)) {
    return fault(null, ProtocolErrorCode.InvalidRequest, 'Invalid request: a message is a JSON object');
  }
  const id = readId(value.id);
  if (value.method === undefined && ('result' in value || 'error' in value)) return readResponse(value);
  if ('id' in value && id === null) {
    return fault(
      null,
      ProtocolErrorCode.InvalidRequest,
      'Invalid request: id must be a string or an integer',
    );
  }
  if ('params' in value && !isObject(value.params)) {
    if (id !== null)
      return fault(id, ProtocolErrorCode.InvalidParams, 'Invalid params: params must be an object');
    return { kind: 'note', text: 'ignored a notification whose params are not an object' };
  }
  try {
    return { kind: 'message', message: parseJSONRPCMessage(value) };
  } catch {
    if (id !== null && isSoundWithoutParams(value)) {
      const text = 'Invalid params: params._meta must be an object, its progressToken a string or an integer';
      return fault(id, ProtocolErrorCode.InvalidParams, text);
    }
    return fault(id, ProtocolErrorCode.InvalidRequest, 'Invalid request: not a JSON-RPC 2.0 message');
  }
}

/** Of the parameters, the envelope's own schema reads `_meta` alone. */
function isSoundWithoutParams({ params: _params, ...envelope }: Record<string, unknown>): boolean {
  try {
    parseJSONRPCMessage(envelope);
    return true;
  } catch {
    return false;
  }
}

/** A bad response is never answered: two sides answering each other's errors would not end. */
function readResponse(value: Record<string, unknown>): Incoming {
  try {
    return { kind: 'message', message: parseJSONRPCMessage(value) };
  } catch {
    return { kind: 'note', text: 'ignored a malformed response' };
  }
}

function readId(value: unknown): string | number | null {
  if (typeof value === 'string' && value.length <= MAX_ID_CHARACTERS) return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
