import { expect, it } from 'vitest';
import { SupervisorLost } from '../../../supervisor/client/errors.js';
import { fixtureChild, useSupervisors } from '../../helpers/supervised.js';

const { make } = useSupervisors();

it('a child that answers pings but never the run is replaced long after the deadline of the run', async () => {
  const supervisor = make({ entry: fixtureChild('counts'), limits: { graceMs: 0 } });
  const request = { file: '/bin/true', cwd: '/' };
  const before = performance.now();
  const error: unknown = await supervisor.run({ ...request, args: ['hold'], timeoutMs: 1 }).catch((e) => e);
  expect(error).toBeInstanceOf(SupervisorLost);
  expect(error).toHaveProperty('message', expect.stringContaining('a run was not answered in time'));
  expect(performance.now() - before).toBeGreaterThan(9_900);
  await expect(supervisor.run(request)).resolves.toMatchObject({ exitCode: 0 });
});
