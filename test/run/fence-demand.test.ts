import { describe, expect, it } from 'vitest';
import { readFence, requireFence, requireHiddenVariables } from '../../src/run/fence-demand.js';

const idle = () => ({ state: 'idle' as const, restarts: 0 });
const open = { fenceFault: undefined, minFence: undefined };

describe('readFence', () => {
  it('never rejects: a supervisor that does not come is an unknown level with its reason', async () => {
    const supervisor = { ready: () => Promise.reject(new Error('no supervisor\nwas ready')), status: idle };
    expect(await readFence(supervisor, new AbortController().signal)).toEqual({
      level: 'unknown',
      network: 'host',
      reason: 'no supervisor was ready',
    });
  });
});

describe('readFence after too many deaths', () => {
  it('is a refusal, so that the preview says what the run would', async () => {
    const supervisor = {
      ready: () => Promise.reject(new Error('the supervisor died too often')),
      status: () => ({ state: 'refusing' as const, restarts: 4 }),
    };
    const report = await readFence(supervisor, new AbortController().signal);
    expect(report).toMatchObject({ level: 'unknown', refusal: 'unavailable: the supervisor died too often' });
    expect(() => requireFence(report, open)).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/try again in a minute/) }),
    );
  });
});

describe('readFence while the server ends', () => {
  it('waits a moment longer, not the whole time', async () => {
    const supervisor = { ready: () => new Promise<never>(() => {}), status: idle };
    const ending = new AbortController();
    const report = readFence(supervisor, ending.signal);
    ending.abort();
    expect(await report).toMatchObject({ level: 'unknown', reason: 'the server is ending' });
    const ready = {
      ready: () => Promise.resolve({ level: 'portable' as const, network: 'host' as const }),
      status: idle,
    };
    expect(await readFence(ready, ending.signal)).toEqual({ level: 'portable', network: 'host' });
  });
});

describe('requireFence [fence.minimum]', () => {
  it('lets every level pass when nothing is demanded', () => {
    requireFence({ level: 'unknown', network: 'host' }, open);
  });

  it('refuses below the least level, and when the level is not known', () => {
    const demand = { ...open, minFence: 'namespace' as const };
    requireFence({ level: 'sandbox', network: 'none' }, demand);
    requireFence({ level: 'namespace', network: 'host' }, demand);
    const portable = { level: 'portable' as const, network: 'host' as const, reason: 'no user namespaces' };
    expect(() => requireFence(portable, demand)).toThrow(
      /portable \(no user namespaces\).*at least namespace/,
    );
    expect(() => requireFence({ level: 'unknown', network: 'host' }, demand)).toThrow(/unknown/);
  });

  it("passes on the supervisor's refusal and the operator's own mistake", () => {
    const report = {
      level: 'portable' as const,
      network: 'host' as const,
      refusal: 'sandbox is not to be had',
    };
    expect(() => requireFence(report, open)).toThrow(
      expect.objectContaining({
        message: 'sandbox is not to be had',
        hint: expect.stringMatching(/operator.*SKILL_MCP_FENCE and SKILL_MCP_MIN_FENCE/),
      }),
    );
    const fault = { ...open, fenceFault: 'SKILL_MCP_FENCE is no level' };
    expect(() => requireFence({ level: 'namespace', network: 'host' }, fault)).toThrow(/no level/);
  });
});

describe('requireHiddenVariables [fence.environ]', () => {
  const hosted = { hosted: true, allowUnscrubbed: false };
  const failed = { state: 'failed' as const, reason: 'EACCES' };

  it('refuses under a host whose variables a script could read', () => {
    expect(() => requireHiddenVariables('portable', failed, hosted)).toThrow(/^environ-unscrubbed.*EACCES/);
    expect(() => requireHiddenVariables('unknown', { state: 'unsupported' }, hosted)).toThrow();
  });

  it('lets everything else pass', () => {
    requireHiddenVariables('portable', { state: 'scrubbed' }, hosted);
    requireHiddenVariables('namespace', failed, hosted);
    requireHiddenVariables('sandbox', failed, hosted);
    requireHiddenVariables('portable', failed, { ...hosted, allowUnscrubbed: true });
    requireHiddenVariables('portable', failed, { ...hosted, hosted: false });
  });
});
