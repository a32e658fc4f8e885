// Pays a spreadsheet over the API of payrun, from the upload to the report:
//
//   npm install openapi-fetch
//   npx openapi-typescript "$PAYRUN_API/openapi.json" -o payrun-api.d.ts
//   PAYRUN_API=http://localhost:8800/api/v1 PAYRUN_TOKEN=payrun_… node pay.mts payroll.csv
//
// A person approves the plan on the page meanwhile. Run again for the same file, it goes on where it was: each request has a
// key of its own, made of the file.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import process from 'node:process';
import createClient from 'openapi-fetch';
import type { components, paths } from './payrun-api.d.ts';

type Problem = components['schemas']['ApiProblem'];

const LOOK_EVERY_MS = 500;

const { PAYRUN_API: baseUrl = '', PAYRUN_TOKEN: token = '' } = process.env;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

async function pay(path: string): Promise<void> {
  const content = await readFile(path);
  const key = createHash('sha256').update(content).digest('hex');
  const keyed = (step: string) => ({ header: { 'Idempotency-Key': `${step}-${key}` } });

  const upload = done(
    await client.POST('/uploads', {
      params: { query: { name: basename(path), wait: 30 }, ...keyed('upload') },
      body: content as unknown as string,
      bodySerializer: (bytes) => bytes,
      headers: { 'content-type': 'application/octet-stream' },
    }),
  );
  if (upload.state !== 'checked' || upload.errors !== 0) throw new Error(`the file has problems: see ${upload.id}`);

  const plan = done(await client.POST('/plans', { params: keyed('plan'), body: { upload_id: upload.id } }));
  console.log(`Waiting for approval: ${plan.page_url}`);
  await until(async () => {
    const { state, reason } = done(await client.GET('/plans/{plan_id}', { params: { path: { plan_id: plan.id } } }));
    if (state === 'awaiting_approval') return false;
    if (state === 'approved' || state === 'started') return true;
    throw new Error(`the plan is ${state}: ${reason ?? ''}`);
  });

  const run = done(await client.POST('/runs', { params: keyed('start'), body: { plan_id: plan.id } }));
  const at = { path: { run_id: run.id } };
  await until(async () => {
    const { state, stopped_because: why } = done(await client.GET('/runs/{run_id}', { params: at }));
    if (state === 'stopped') throw new Error(`the run stopped: ${why}`);
    return state === 'finished';
  });

  for (let cursor: string | undefined, isLast = false; !isLast; ) {
    const page = done(await client.GET('/runs/{run_id}/payouts', { params: { ...at, query: { cursor, limit: 200 } } }));
    for (const { row, name, amount, currency, state } of page.items) console.log(row, name, amount, currency, state);
    cursor = page.next_cursor ?? undefined;
    isLast = page.next_cursor === null;
  }
  const report = done(
    await client.GET('/runs/{run_id}/report', { params: { ...at, query: { format: 'csv' } }, parseAs: 'text' }),
  );
  await writeFile(`${run.id}.csv`, report);
  console.log(`Report: ${run.id}.csv`);
}

/** What was answered. Throws where the request was refused. */
function done<Data>({ data, error }: { data?: Data; error?: Problem }): Data {
  if (data !== undefined) return data;
  throw new Error(`${error?.code}: ${error?.detail}`);
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}

await pay(process.argv[2] ?? '');
