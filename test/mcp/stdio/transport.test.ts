import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { StdioTransport } from '../../../src/mcp/stdio/transport.js';

function open() {
  const input = new PassThrough();
  const output = new PassThrough();
  const notes: string[] = [];
  const received: unknown[] = [];
  let firstAnswers = 0;
  const transport = new StdioTransport({
    input,
    output,
    note: (text) => notes.push(text),
    onFirstAnswer: () => {
      firstAnswers += 1;
    },
  });
  transport.onmessage = (message) => {
    received.push(message);
  };
  void transport.start();
  const written = () =>
    String(output.read() ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return { input, output, notes, received, transport, written, firstAnswers: () => firstAnswers };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));
const request = (id: number) => ({ jsonrpc: '2.0' as const, id, method: 'ping' });

describe('StdioTransport', () => {
  it('passes messages on and answers what is none, in order [server.bad-lines]', async () => {
    const { input, received, written, notes } = open();
    input.write(`\ufeff${JSON.stringify(request(1))}\n\n[]\n{bad\n${JSON.stringify(request(2))}\n`);
    await tick();
    expect(received).toEqual([request(1), request(2)]);
    expect(written()).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32700 } },
    ]);
    expect(notes).toHaveLength(2);
  });

  it('survives a line of 11 MiB [server.bad-lines]', async () => {
    const { input, received, written } = open();
    for (let sent = 0; sent < 11; sent++) input.write(Buffer.alloc(1024 * 1024, 0x61));
    input.write(`\n${JSON.stringify(request(3))}\n`);
    while (received.length === 0) await tick();
    expect(written()).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(received).toEqual([request(3)]);
  });

  it('takes a last line without a newline, and says that the input has ended', async () => {
    const { input, received, transport } = open();
    input.end(JSON.stringify(request(4)));
    await transport.inputEnded;
    expect(received).toEqual([request(4)]);
  });

  it('waits for the answers to what was read, but not for cancelled and open-ended requests', async () => {
    const { input, transport } = open();
    input.write(`${JSON.stringify(request(1))}\n${JSON.stringify(request(2))}\n`);
    input.write(`${JSON.stringify({ ...request(3), method: 'subscriptions/listen' })}\n`);
    await tick();
    let isSettled = false;
    const settled = transport.answered(10_000).then(() => {
      isSettled = true;
    });
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    await tick();
    expect(isSettled).toBe(false);
    const params = { requestId: 2 };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })}\n`);
    await settled;
  });

  it('gives up waiting for answers after the time it was given', async () => {
    const { input, transport } = open();
    input.write(`${JSON.stringify(request(1))}\n`);
    await tick();
    await transport.answered(20);
  });

  it('reports the first answer once, and no notification as one', async () => {
    const { transport, firstAnswers } = open();
    await transport.send({ jsonrpc: '2.0', method: 'notifications/progress', params: {} });
    expect(firstAnswers()).toBe(0);
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    await transport.send({ jsonrpc: '2.0', id: 2, result: {} });
    expect(firstAnswers()).toBe(1);
  });

  it('replaces a message that is over the line limit by an error', async () => {
    const { transport, written } = open();
    const sent = transport.send({ jsonrpc: '2.0', id: 9, result: { text: 'x'.repeat(9 * 1024 * 1024) } });
    expect(written()).toMatchObject([{ id: 9, error: { code: -32603 } }]);
    await sent;
  });

  it('stops reading while a client does not read, and goes on when it does', async () => {
    const input = new PassThrough();
    const held: (() => void)[] = [];
    const output = new Writable({ write: (_chunk, _encoding, done) => void held.push(() => done()) });
    const transport = new StdioTransport({ input, output, note: () => {} });
    void transport.start();
    const result = { text: 'x'.repeat(7 * 1024 * 1024) };
    const sends = [1, 2, 3, 4, 5].map((id) => transport.send({ jsonrpc: '2.0', id, result }));
    expect(input.isPaused()).toBe(true);
    while (output.writableLength > 0) {
      held.shift()?.();
      await tick();
    }
    await Promise.all(sends);
    expect(input.isPaused()).toBe(false);
  });

  it('reports a closed output instead of throwing', async () => {
    const { transport, output } = open();
    output.destroy(new Error('EPIPE'));
    await transport.outputFailed;
    await transport.flushed();
  });
});
