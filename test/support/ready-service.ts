import { readyObject, type Started } from './payrun-process.ts';

export type ReadyService = {
  base_url: string;
  admin_url: string;
  api_key: string;
  signing_key_file: string;
  customer_id: string;
  /** The options that point a run at it. */
  options: string[];
};

/** A `payrun service` in a process of its own, for being killed, interrupted or started again. */
export type ServiceProcess = ReadyService & { started: Started };

/** The service when it is ready. */
export async function readyServiceOf(started: Started): Promise<ServiceProcess> {
  return { ...withOptions((await readyObject(started)) as Omit<ReadyService, 'options'>), started };
}

export function withOptions(ready: Omit<ReadyService, 'options'>): ReadyService {
  const { base_url, api_key, signing_key_file } = ready;
  return { ...ready, options: ['--base-url', base_url, '--api-key', api_key, '--signing-key', signing_key_file] };
}
