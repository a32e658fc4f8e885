import type { ReadyService } from './payrun.ts';
import { readyObject, type Started } from './payrun-process.ts';

/** The service when it is ready, with the options that point a run at it. */
export async function readyServiceOf(started: Started): Promise<ReadyService> {
  const ready = (await readyObject(started)) as Omit<ReadyService, 'started' | 'options'>;
  const { base_url, api_key, signing_key_file } = ready;
  const options = ['--base-url', base_url, '--api-key', api_key, '--signing-key', signing_key_file];
  return { ...ready, started, options };
}
