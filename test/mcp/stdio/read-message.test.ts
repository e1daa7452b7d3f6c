import { describe, expect, it } from 'vitest';
import { readMessage } from '../../../src/mcp/stdio/read-message.js';

const read = (text: string) => readMessage(Buffer.from(text));

describe('readMessage', () => {
  it('reads requests, notifications and responses', () => {
    expect(read('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toMatchObject({ kind: 'message' });
    expect(read('{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}')).toMatchObject({
      kind: 'message',
    });
    expect(read('{"jsonrpc":"2.0","id":"a","result":{}}')).toMatchObject({ kind: 'message' });
  });

  it('ignores a byte-order mark before the message and lines without text', () => {
    expect(read('\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}')).toMatchObject({ kind: 'message' });
    expect(read('')).toEqual({ kind: 'blank' });
    expect(read(' \t\r')).toEqual({ kind: 'blank' });
  });

  it.each([
    ['{"jsonrpc"', -32700, null],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
    ['[]', -32600, null],
    ['42', -32600, null],
    ['null', -32600, null],
    ['"ping"', -32600, null],
    ['{}', -32600, null],
    ['{"id":7,"method":"ping"}', -32600, 7],
    ['{"jsonrpc":"1.0","id":"x","method":"ping"}', -32600, 'x'],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
    [`{"jsonrpc":"2.0","id":"${'i'.repeat(2_000)}","method":"ping"}`, -32600, null],
    ['{"jsonrpc":"2.0","id":3,"method":5}', -32600, 3],
    ['{"jsonrpc":"2.0","id":3}', -32600, 3],
    ['{"jsonrpc":"2.0","id":4,"method":"tools/list","params":null}', -32602, 4],
    ['{"jsonrpc":"2.0","id":4,"method":"tools/list","params":[]}', -32602, 4],
    ['{"jsonrpc":"2.0","id":4,"method":"tools/list","params":"x"}', -32602, 4],
    ['{"jsonrpc":"2.0","id":5,"method":"ping","params":{"_meta":{"progressToken":1.5}}}', -32602, 5],
    ['{"jsonrpc":"2.0","id":5,"method":"ping","params":{"_meta":{"progressToken":{}}}}', -32602, 5],
    ['{"jsonrpc":"2.0","id":5,"method":"ping","params":{"_meta":7}}', -32602, 5],
  ])('answers %.60s with %i and id %s [server.bad-lines]', (text, code, id) => {
    expect(read(text)).toMatchObject({ kind: 'fault', code, id });
  });

  it('answers bytes that are not UTF-8', () => {
    expect(readMessage(Buffer.from([0x7b, 0xff, 0x7d]))).toMatchObject({ kind: 'fault', code: -32700 });
  });

  it.each([
    '{"jsonrpc":"2.0","method":"notifications/initialized","params":null}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}',
    '{"jsonrpc":"2.0","id":1,"result":5}',
  ])('never answers what is no request: %s', (text) => {
    expect(read(text).kind).toBe('note');
  });
});
