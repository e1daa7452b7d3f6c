import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { Heartbeat } from '../../../supervisor/client/heartbeat.js';

interface Peer {
  readonly heart: Heartbeat;
  readonly pings: number[];
  /** Milliseconds after the start at which the hang was reported. */
  hungAfter: number | undefined;
  reason: string | undefined;
}

const hearts: Heartbeat[] = [];

function meet(answer: {
  pong?: (n: number, heart: Heartbeat) => void;
  written?: (onWritten: () => void) => void;
  receiving?: () => boolean;
  starving?: () => boolean;
}): Peer {
  const begun = performance.now();
  const pings: number[] = [];
  const peer: { -readonly [K in keyof Peer]: Peer[K] } = {
    pings,
    hungAfter: undefined,
    reason: undefined,
    heart: new Heartbeat({
      ping: (n, onWritten) => {
        pings.push(n);
        (answer.written ?? ((done) => done()))(onWritten);
        answer.pong?.(n, peer.heart);
      },
      receiving: answer.receiving ?? (() => false),
      missed: () => {},
      starving: answer.starving ?? (() => false),
      hung: (reason) => {
        peer.hungAfter = performance.now() - begun;
        peer.reason = reason;
      },
    }),
  };
  hearts.push(peer.heart);
  return peer;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Keeps this process busy, as a caller does that parses something large. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

afterAll(() => {
  for (const heart of hearts.splice(0)) heart.stop();
});

describe('while a run is in flight', () => {
  it.concurrent('a child that gets no processor is excused, but not for ever', async ({ expect }) => {
    let isStarving = true;
    const peer = meet({ starving: () => isStarving });
    peer.heart.setBusy(true);
    peer.heart.start();
    await wait(2_000);
    expect(peer.hungAfter).toBeUndefined();
    isStarving = false;
    await expect.poll(() => peer.reason, { timeout: 5_000 }).toBe('it did not answer 3 pings');

    const starved = meet({ starving: () => true });
    starved.heart.setBusy(true);
    starved.heart.start();
    await expect.poll(() => starved.reason, { timeout: 20_000 }).toBe('it did not answer 3 pings');
    expect(starved.hungAfter).toBeGreaterThan(4_000);
  });

  it.concurrent('a silent child is hung after three pings, within 700 ms', async ({ expect }) => {
    // On a crowded machine our own ticks may come late, which excuses the child: the best of three counts.
    const hungAfter: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const peer = meet({});
      peer.heart.start();
      peer.heart.setBusy(true);
      await expect.poll(() => peer.hungAfter, { timeout: 5_000 }).toBeDefined();
      expect(peer.reason).toContain('3 pings');
      hungAfter.push(peer.hungAfter ?? Number.NaN);
    }
    expect(Math.min(...hungAfter)).toBeGreaterThan(400);
    expect(Math.min(...hungAfter)).toBeLessThan(700);
  });

  it.concurrent('a child that answers is not, and pings come five a second', async ({ expect }) => {
    const peer = meet({ pong: (n, heart) => expect(heart.pong(n)).toBe(true) });
    peer.heart.start();
    peer.heart.setBusy(true);
    await wait(1_100);
    expect(peer.hungAfter).toBeUndefined();
    expect(peer.pings.length).toBeGreaterThanOrEqual(4);
    expect(peer.pings.length).toBeLessThanOrEqual(7);
  });

  it.concurrent('a slow answer counts, as long as it comes at all', async ({ expect }) => {
    const peer = meet({ pong: (n, heart) => void setTimeout(() => heart.pong(n), 120) });
    peer.heart.start();
    peer.heart.setBusy(true);
    await wait(1_300);
    expect(peer.hungAfter).toBeUndefined();
  });

  it('silence proves nothing when we were busy ourselves', async () => {
    const peer = meet({});
    peer.heart.start();
    peer.heart.setBusy(true);
    // Every tick fires more than 100 ms late.
    for (let i = 0; i < 5; i += 1) {
      block(350);
      await wait(0);
    }
    expect(peer.hungAfter).toBeUndefined();
    await expect.poll(() => peer.hungAfter, { timeout: 5_000 }).toBeDefined();
  });

  it('a verdict that comes late is none, even if the ping went out in time', async () => {
    const peer = meet({ pong: () => void setImmediate(() => block(250)) });
    peer.heart.start();
    peer.heart.setBusy(true);
    await expect.poll(() => peer.pings.length, { timeout: 10_000 }).toBe(6);
    expect(peer.hungAfter).toBeUndefined();
    peer.heart.stop();
  });

  it('an answer that is in the socket counts, although nobody has read it yet', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [ours, [theirs]] = [connect(port, '127.0.0.1'), await once(server, 'connection')];
    const peer = meet({
      pong: (n, heart) => {
        if (n !== 3) return;
        ours.on('data', () => heart.pong(3));
        // The verdict is due in the middle of this; when the loop goes on, it comes before the socket.
        setImmediate(() => {
          block(110);
          theirs.write('x');
        });
      },
    });
    peer.heart.start();
    peer.heart.setBusy(true);
    await expect.poll(() => peer.pings.length, { timeout: 10_000, interval: 5 }).toBe(4);
    expect(peer.hungAfter).toBeUndefined();
    ours.destroy();
    theirs.destroy();
    server.close();
  });

  it.concurrent('a ping that is still in our own buffer is no miss, and no second one is put behind it', async ({
    expect,
  }) => {
    const peer = meet({ written: () => {} });
    peer.heart.start();
    peer.heart.setBusy(true);
    await wait(1_200);
    expect(peer.hungAfter).toBeUndefined();
    expect(peer.pings).toEqual([1]);
  });

  it.concurrent('a child that has stopped reading for five seconds is hung', async ({ expect }) => {
    const peer = meet({ written: () => {} });
    peer.heart.start();
    peer.heart.setBusy(true);
    await expect.poll(() => peer.hungAfter, { timeout: 10_000 }).toBeDefined();
    expect(peer.reason).toContain('read nothing');
    expect(peer.hungAfter).toBeGreaterThan(4_900);
  });

  it.concurrent('a child whose large message is still coming in is not hung', async ({ expect }) => {
    let more = true;
    const peer = meet({ receiving: () => more });
    peer.heart.start();
    peer.heart.setBusy(true);
    await wait(1_000);
    expect(peer.hungAfter).toBeUndefined();
    more = false;
    await expect.poll(() => peer.hungAfter, { timeout: 5_000 }).toBeDefined();
  });
});

describe('while idle', () => {
  it.concurrent('pings come once a second, and the pace rises at once when a run begins', async ({
    expect,
  }) => {
    const peer = meet({ pong: (n, heart) => heart.pong(n) });
    peer.heart.start();
    await wait(700);
    expect(peer.pings).toEqual([]);
    const before = performance.now();
    peer.heart.setBusy(true);
    await expect.poll(() => peer.pings.length, { interval: 2 }).toBe(1);
    // Far less than the rest of the slow second.
    expect(performance.now() - before).toBeLessThan(280);
  });

  it.concurrent('runs that follow each other closely do not add pings', async ({ expect }) => {
    const peer = meet({ pong: (n, heart) => heart.pong(n) });
    peer.heart.start();
    const end = performance.now() + 600;
    while (performance.now() < end) {
      peer.heart.setBusy(true);
      await wait(5);
      peer.heart.setBusy(false);
    }
    expect(peer.pings.length).toBeLessThanOrEqual(5);
  });
});

it('an answer to a ping that was never sent, or a second answer, is told to be impossible', () => {
  const peer = meet({});
  expect(peer.heart.pong(1)).toBe(false);
  peer.heart.start();
  peer.heart.setBusy(true);
  return expect
    .poll(() => peer.pings.length, { interval: 5 })
    .toBe(1)
    .then(() => {
      expect(peer.heart.pong(2)).toBe(false);
      expect(peer.heart.pong(1)).toBe(true);
      expect(peer.heart.pong(1)).toBe(false);
    });
});

it.concurrent('says nothing after it was stopped', async ({ expect }) => {
  const peer = meet({});
  peer.heart.start();
  peer.heart.setBusy(true);
  await wait(300);
  peer.heart.stop();
  await wait(700);
  expect(peer.hungAfter).toBeUndefined();
});
