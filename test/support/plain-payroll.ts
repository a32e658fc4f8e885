import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import type { ReadyService } from './payrun.ts';
import { admin, allTransactions } from './service-admin.ts';

/** A payroll whose rows are told apart by their amounts, and how a run is told to pay it. */
export type PlainPayroll = {
  rows: number;
  command: string[];
  /** For `resume RUN`. */
  resume: string[];
};

/** `proxy` is what the run takes for the service. */
export function plainPayroll(options: {
  folder: string;
  service: ReadyService;
  proxy: { baseUrl: string };
  rows: number;
  /** The connection profile's text. A short life of requests keeps a test short. */
  profile: string;
  firstAmount?: number;
}): PlainPayroll {
  const { folder, service, proxy, rows, profile, firstAmount = 1 } = options;
  const file = join(folder, 'payroll.csv');
  const lines = Array.from({ length: rows }, (_, at) => {
    const amount = firstAmount + at;
    return `Payee ${amount},${amount}.00,AUD,AUD_NPP,${10_000_000 + amount},062-000`;
  });
  writeFileSync(file, `name,amount,currency,rail,account_number,national_clearing_code\n${lines.join('\n')}\n`);
  const profileFile = join(folder, 'profile.yaml');
  writeFileSync(profileFile, profile);
  const at = ['--base-url', proxy.baseUrl, '--api-key', service.api_key, '--signing-key', service.signing_key_file];
  const resume = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports'), '--json'];
  const pace = ['--rate', '0', '--poll-every', '100ms'];
  return { rows, resume, command: ['run', file, '--yes', '--profile', profileFile, ...at, ...pace, ...resume] };
}

export function reportOf(stdout: string): Record<string, string>[] {
  return parse(readFileSync(JSON.parse(stdout).report[0]), { columns: true, bom: true });
}

/** Each row has one transaction at the service, there is no other, and the reports name just those. */
export async function expectPaidOnceEach(service: ReadyService, reports: Record<string, string>[][]): Promise<void> {
  const rows = reports.flat();
  expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'completed'));
  const transactions = await allTransactions(service);
  const paid = transactions.map(({ id, currency_out }) => `${id} ${Number(currency_out.value) / 100}`);
  const reported = rows.map(({ transaction_id, amount }) => `${transaction_id} ${Number(amount)}`);
  expect(paid.toSorted()).toEqual(reported.toSorted());
  expect(await admin(service, 'verify')).toEqual({ findings: [] });
}
