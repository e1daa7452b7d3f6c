import { afterEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../../supervisor/child/exit-code.js';
import { ChildDriver, frameOf } from '../../helpers/child-driver.js';
import { LEVELS } from '../../helpers/namespaces.js';
import { eventually, findTraces, makeMark } from '../../helpers/process-traces.js';
import { runOf } from '../../helpers/scripts.js';

let child: ChildDriver | undefined;
afterEach(() => child?.dispose());

const prefixOf = (header: number, body: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(header, 0);
  bytes.writeUInt32BE(body, 4);
  return bytes;
};

const envelope = (driver: ChildDriver) => ({ v: 1, incarnation: driver.incarnation });

/** Whatever is not the protocol, as bytes. */
const FAULTS: Record<string, (driver: ChildDriver) => Buffer> = {
  garbage: () => Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  'a header of no bytes': () => prefixOf(0, 0),
  'a header that is too long': () => prefixOf(1024 * 1024 + 1, 0),
  'a body that is too long': () => prefixOf(10, 1024 * 1024 + 1),
  'a header that is no JSON': () => Buffer.concat([prefixOf(3, 0), Buffer.from('{"v')]),
  'a header that is no UTF-8': () => Buffer.concat([prefixOf(2, 0), Buffer.from([0xff, 0xfe])]),
  'an unknown type': (driver) => frameOf({ ...envelope(driver), type: 'sing' }),
  'a key too many': (driver) => frameOf({ ...envelope(driver), type: 'ping', n: 1, extra: true }),
  'another version': (driver) => frameOf({ ...envelope(driver), v: 2, type: 'ping', n: 1 }),
  'a foreign incarnation': () => frameOf({ v: 1, incarnation: 'another', type: 'ping', n: 1 }),
  'a body where none belongs': (driver) =>
    frameOf({ ...envelope(driver), type: 'ping', n: 1 }, Buffer.from('x')),
  'a second hello': (driver) => frameOf({ ...envelope(driver), ...secondHello }),
};

const secondHello = {
  type: 'hello',
  fence: 'auto',
  orphans: [],
  limits: {
    slots: 1,
    whenFull: 'refuse',
    streamBytes: 1,
    stdinBytes: 1,
    maxTimeoutMs: 1,
    graceMs: 1,
    reservedNames: [],
    reservedPrefixes: [],
  },
};

describe.each(LEVELS)('a protocol fault at %s ends the child and its run', (fence) => {
  it.each(Object.entries(FAULTS))('%s', async (_, fault) => {
    child = new ChildDriver({ fence });
    await child.ready();
    const mark = makeMark();
    child.request(runOf('stubborn-pipe-holder.sh', mark));
    await child.waitFor('started', () => true);
    await eventually(() => findTraces(mark).length >= 2, 'the program runs');
    child.sendRaw(fault(child));
    expect(await child.exited).toEqual({ code: EXIT.protocolFault, signal: null });
    expect(child.stderr).toMatch(/^supervisor: protocol fault: [^\n]+\n$/);
    await eventually(() => findTraces(mark).length === 0, 'the program is gone', 1000);
  });
});

it('a first message that is no hello ends the child', async () => {
  child = new ChildDriver({ fence: 'portable' });
  child.send({ type: 'ping', n: 1 });
  expect(await child.exited).toMatchObject({ code: EXIT.protocolFault });
});

it('a first frame with a body ends the child', async () => {
  child = new ChildDriver({ fence: 'portable' });
  child.sendRaw(prefixOf(10, 10));
  expect(await child.exited).toMatchObject({ code: EXIT.protocolFault });
});

it('reads a frame that comes byte by byte', async () => {
  child = new ChildDriver({ fence: 'portable' });
  const hello = { ...envelope(child), ...secondHello };
  for (const byte of frameOf(hello)) {
    child.sendRaw(Buffer.from([byte]));
    if (byte === 0x2c) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(await child.waitFor('ready', () => true)).toMatchObject({ pid: child.pid });
});

it('is not to be started by hand', async () => {
  child = new ChildDriver({ fence: 'portable', wrapper: ['/bin/sh', '-c', 'exec "$1" "$2"', 'start'] });
  expect(await child.exited).toMatchObject({ code: EXIT.usage });
});
