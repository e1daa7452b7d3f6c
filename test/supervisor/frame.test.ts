import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame, type Frame, FrameFault, FrameReader } from '../../supervisor/frame.js';
import { MAX_HEADER_BYTES } from '../../supervisor/protocol.js';

const MAX_BODY = 4096;

const wire = (header: object, body?: Uint8Array): Buffer =>
  Buffer.concat(encodeFrame(header, body, MAX_BODY));

const prefix = (headerBytes: number, bodyBytes: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(headerBytes, 0);
  bytes.writeUInt32BE(bodyBytes, 4);
  return bytes;
};

function readAll(chunks: Iterable<Buffer>, reader = new FrameReader(MAX_BODY)): Frame[] {
  const frames: Frame[] = [];
  for (const chunk of chunks) frames.push(...reader.push(chunk));
  return frames;
}

const anyFrame = fc.record({
  header: fc.dictionary(
    fc.string({ unit: 'grapheme' }),
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer()),
  ),
  body: fc.uint8Array({ maxLength: 300 }),
});

/** What a JSON round trip makes of a header: the comparison is about bytes on the wire, not about JSON. */
const asRead = ({ header, body }: { header: object; body: Uint8Array }): Frame => ({
  header: JSON.parse(JSON.stringify(header)),
  body: Buffer.from(body),
});

describe('writing a frame', () => {
  it('puts two big-endian lengths, the header and the body in this order', () => {
    const bytes = wire({ a: 1 }, Buffer.from('xyz'));
    expect(bytes.toString('latin1')).toBe('\0\0\0\x07\0\0\0\x03{"a":1}xyz');
  });

  it('does not copy the body', () => {
    const body = Buffer.from('some bytes');
    const last = encodeFrame({}, body, MAX_BODY).at(-1);
    expect(last?.buffer).toBe(body.buffer);
  });

  it('sends a view of a larger buffer as that view alone', () => {
    const view = new Uint8Array(Buffer.from('0123456789').buffer, 0, 0);
    expect(encodeFrame({}, view, MAX_BODY)).toHaveLength(2);
    const middle = Buffer.from('0123456789').subarray(3, 6);
    expect(encodeFrame({}, middle, MAX_BODY).at(-1)?.toString()).toBe('345');
  });

  it('measures both parts in bytes before anything is sent, and says the sizes', () => {
    expect(() => encodeFrame({}, Buffer.alloc(MAX_BODY), MAX_BODY)).not.toThrow();
    expect(() => encodeFrame({}, Buffer.alloc(MAX_BODY + 1), MAX_BODY)).toThrow(/4097 bytes, at most 4096/);
    // Each of these is three bytes in UTF-8 and one UTF-16 unit.
    const third = Math.ceil(MAX_HEADER_BYTES / 3);
    expect(() => encodeFrame({ a: '€'.repeat(third) }, undefined, MAX_BODY)).toThrow(RangeError);
    expect(() => encodeFrame({ a: 'x'.repeat(third) }, undefined, MAX_BODY)).not.toThrow();
  });

  it('takes a header of exactly the largest size, both ways', () => {
    const header = { a: 'x'.repeat(MAX_HEADER_BYTES - '{"a":""}'.length) };
    expect(readAll([wire(header)])).toEqual([{ header, body: Buffer.alloc(0) }]);
    expect(() => wire({ a: `${header.a}x` })).toThrow(RangeError);
  });
});

describe('reading frames', () => {
  it('gives the same frames wherever the bytes are cut once', () => {
    const frames = [
      { header: { type: 'one', text: 'é€😀' }, body: Buffer.from('body') },
      { header: { type: 'two' }, body: Buffer.alloc(0) },
      { header: { type: 'three' }, body: Buffer.alloc(70, 'x') },
    ];
    const bytes = Buffer.concat(frames.map(({ header, body }) => wire(header, body)));
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(readAll([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(frames);
    }
  });

  it('gives the same frames byte by byte', () => {
    const bytes = Buffer.concat([wire({ a: 1 }, Buffer.from('b')), wire({ c: 2 })]);
    const single = [...bytes].map((byte) => Buffer.from([byte]));
    expect(readAll(single)).toEqual([
      { header: { a: 1 }, body: Buffer.from('b') },
      { header: { c: 2 }, body: Buffer.alloc(0) },
    ]);
  });

  it('gives the same frames in any chunks', () => {
    fc.assert(
      fc.property(
        fc.array(anyFrame, { maxLength: 6 }),
        fc.array(fc.nat({ max: 200 }), { minLength: 1 }),
        (frames, sizes) => {
          const bytes = Buffer.concat(frames.map(({ header, body }) => wire(header, body)));
          const chunks: Buffer[] = [];
          for (let at = 0, i = 0; at < bytes.length; i += 1) {
            const size = (sizes[i % sizes.length] ?? 0) + 1;
            chunks.push(bytes.subarray(at, at + size));
            at += size;
          }
          const reader = new FrameReader(MAX_BODY);
          expect(readAll(chunks, reader)).toEqual(frames.map(asRead));
          expect(reader.incomplete).toBe(false);
        },
      ),
    );
  });

  it('never throws anything but FrameFault, whatever the bytes', () => {
    const nearlyRight = fc
      .tuple(fc.nat({ max: 40 }), fc.nat({ max: 5000 }), fc.uint8Array({ maxLength: 60 }))
      .map(([head, body, rest]) => Buffer.concat([prefix(head, body), rest]));
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
      nearlyRight,
    );
    let faults = 0;
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 8 }), (chunks) => {
        try {
          readAll(chunks);
        } catch (error) {
          faults += 1;
          expect(error).toBeInstanceOf(FrameFault);
        }
      }),
      { numRuns: 500 },
    );
    expect(faults).toBeGreaterThan(50);
  });

  it.each([
    ['an empty header', prefix(0, 0)],
    ['a header over the limit', prefix(MAX_HEADER_BYTES + 1, 0)],
    ['the largest header a prefix can name', prefix(0xffff_ffff, 0)],
    ['a body over the limit', prefix(2, MAX_BODY + 1)],
    ['a header that is no JSON', Buffer.concat([prefix(2, 0), Buffer.from('{x')])],
    ['a header that is not UTF-8', Buffer.concat([prefix(3, 0), Buffer.from([0x22, 0xff, 0x22])])],
    ['text of another protocol', Buffer.from('HTTP/1.1 200 OK\r\n')],
  ])('refuses %s', (_name, bytes) => {
    expect(() => readAll([bytes])).toThrow(FrameFault);
  });

  it('judges the lengths before the frame is there, so that nothing is kept for it', () => {
    const reader = new FrameReader(MAX_BODY);
    expect(() => [...reader.push(prefix(10, MAX_BODY + 1))]).toThrow(/at most 4096/);
  });

  it('still gives the whole frames ahead of broken bytes', () => {
    const reader = new FrameReader(MAX_BODY);
    const seen: Frame[] = [];
    expect(() => {
      for (const frame of reader.push(Buffer.concat([wire({ a: 1 }), prefix(0, 0)]))) seen.push(frame);
    }).toThrow(FrameFault);
    expect(seen).toEqual([{ header: { a: 1 }, body: Buffer.alloc(0) }]);
  });

  it('stays broken: right bytes behind broken ones are not read', () => {
    const reader = new FrameReader(MAX_BODY);
    expect(() => [...reader.push(prefix(0, 0))]).toThrow(FrameFault);
    expect(() => [...reader.push(wire({ a: 1 }))]).toThrow(FrameFault);
  });

  it('knows whether the bytes so far end inside a frame', () => {
    const reader = new FrameReader(MAX_BODY);
    const bytes = wire({ a: 1 }, Buffer.from('body'));
    expect(reader.incomplete).toBe(false);
    for (const at of [1, 8, 9, bytes.length - 1]) {
      const part = new FrameReader(MAX_BODY);
      expect([...part.push(bytes.subarray(0, at))]).toEqual([]);
      expect(part.incomplete).toBe(true);
    }
    expect([...reader.push(bytes)]).toHaveLength(1);
    expect(reader.incomplete).toBe(false);
  });

  it('takes time in proportion to the bytes, also when a large body comes in small chunks', () => {
    const big = 16 * 1024 * 1024;
    const reader = new FrameReader(big);
    const bytes = Buffer.concat(encodeFrame({ a: 1 }, Buffer.alloc(big), big));
    const before = performance.now();
    let frames = 0;
    for (let at = 0; at < bytes.length; at += 1024) {
      for (const _frame of reader.push(bytes.subarray(at, at + 1024))) frames += 1;
    }
    expect(frames).toBe(1);
    // 16,385 chunks: joining all of them at every chunk would move 128 GiB.
    expect(performance.now() - before).toBeLessThan(10_000);
  });
});
