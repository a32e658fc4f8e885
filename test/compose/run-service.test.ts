import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../../src/compose/settings.ts';
import { ownService, serviceOfRun } from '../../src/compose/worker/run-service.ts';
import { DEFAULT_PROFILE } from '../../src/domain/profile.ts';
import { RunState } from '../../src/domain/run/run-state.ts';
import { sampleHeader } from '../journal/samples.ts';
import { newKey } from '../support/new-key.ts';
import { temporaryFolder } from '../support/payrun.ts';

const SERVICE = 'https://pay.example/';

/** A run at that service, whose key file is in the folder; and the service of a worker with a key file of its own there. */
function office() {
  const folder = temporaryFolder();
  const [ofRun, ofWorker] = [join(folder, 'run.pem'), join(folder, 'worker.pem')];
  newKey(ofRun);
  newKey(ofWorker);
  const runAt = (base_url: string | null, keyFile: string): RunState => {
    const named = { base_url, api_key: 'key_1', signing_key_file: keyFile };
    return Object.assign(new RunState(), {
      header: { ...sampleHeader('R1'), profile: { ...DEFAULT_PROFILE, ...named } },
    });
  };
  const workerOf = (baseUrl: string, apiKey: string) => {
    const settings = readSettings({ baseUrl, apiKey, signingKey: ofWorker, concurrency: '3' }, {});
    return { settings, own: ownService(settings) };
  };
  return { folder, ofRun, ofWorker, runAt, workerOf };
}

test('a worker uses its own key at its own service, and elsewhere that of the run', async () => {
  const { ofRun, ofWorker, runAt, workerOf } = office();
  const run = runAt(SERVICE, ofRun);
  const usedBy = async ({ settings, own }: ReturnType<typeof workerOf>) =>
    (await serviceOfRun(run, settings, own)).profile;
  expect(await usedBy(workerOf(SERVICE, 'key_1'))).toMatchObject({ base_url: SERVICE, signing_key_file: ofWorker });
  // Another service, or the same one under another key: nothing of the worker's own goes there.
  for (const other of [workerOf('https://other.example/', 'key_1'), workerOf(SERVICE, 'key_2')])
    expect(await usedBy(other)).toMatchObject({ base_url: SERVICE, api_key: 'key_1', signing_key_file: ofRun });
});

test('how many runs a worker executes is not how many requests of one are under way', async () => {
  const { ofRun, runAt, workerOf } = office();
  for (const apiKey of ['key_1', 'key_2']) {
    const { settings, own } = workerOf(SERVICE, apiKey);
    expect((await serviceOfRun(runAt(SERVICE, ofRun), settings, own)).profile.concurrency).toBe(
      DEFAULT_PROFILE.concurrency,
    );
  }
});

test('where neither key can be used, the worker has none', async () => {
  const { folder, runAt, workerOf } = office();
  const { settings, own } = workerOf('https://other.example/', 'key_1');
  const run = runAt(SERVICE, join(folder, 'not-there.pem'));
  await expect(serviceOfRun(run, settings, own)).rejects.toThrow(
    expect.objectContaining({
      reason: {
        ...{ code: 'worker_lacks_key', runId: 'R1', service: SERVICE },
        cause: expect.objectContaining({ code: 'key_file_unusable' }),
      },
    }),
  );
  await expect(serviceOfRun(runAt(null, join(folder, 'run.pem')), settings, own)).rejects.toThrow(
    expect.objectContaining({ reason: { code: 'workers_need_service' } }),
  );
});
