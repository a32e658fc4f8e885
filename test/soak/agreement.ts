import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { openDataJournal } from '../../src/compose/data-dir.ts';
import type { Note } from '../../src/domain/entries/note.ts';
import type { PlacedEntry } from '../../src/domain/entry.ts';
import { entriesIn } from '../../src/journal/pages.ts';
import { type Ended, spawnPayrun } from '../support/payrun-process.ts';
import { type Books, readBooks } from './books.ts';
import type { KillableService } from './killable-service.ts';

export type Payroll = { runId: string; file: string; dataDir: string; reportDir: string };

type Cells = Record<string, string>;
type Shown = { row: number; state: string } & Record<string, string | number | null>;

/** How the doubts of a run ended, which is what a kill may leave. A person `accepted` that what is not listed is absent. */
export type Doubts = { found: number; absent: number; accepted: number };

/**
 * Compares, row by row, what was asked for (the input), what happened (the service's ledger), what the journal knows and
 * what the report says. Each entry of the answer is one disagreement.
 */
export async function disagreementsOf(service: KillableService, payroll: Payroll): Promise<string[]> {
  const { runId, file, dataDir, reportDir } = payroll;
  const found: string[] = [];
  const input: Cells[] = parse(readFileSync(file), { columns: true, bom: true });
  const csv: Cells[] = parse(readFileSync(join(reportDir, runId, 'report.csv')), { columns: true, bom: true });
  const json: Cells[] = JSON.parse(readFileSync(join(reportDir, runId, 'report.json'), 'utf8')).rows;
  const shown = await shownPayouts(runId, dataDir);
  const books = await readBooks(service.ready);
  const verified = await command(['verify', runId, '--data-dir', dataDir]);
  if (verified.exit !== 0) found.push(`verify exits ${verified.exit}: ${verified.stdout}${verified.stderr}`);
  if (JSON.stringify(books.findings) !== '[]') found.push(`the service's proof: ${JSON.stringify(books.findings)}`);
  for (const [what, rows] of Object.entries({ csv, json, shown }))
    if (rows.length !== input.length) found.push(`${what} has ${rows.length} rows, the input ${input.length}`);
  const perRow = { input, csv, json, shown };
  input.forEach((_, at) => {
    found.push(...rowDisagreements(at, perRow, books).map((text) => `row ${at + 2}: ${text}`));
  });
  found.push(...wholeDisagreements(input, shown, books));
  found.push(...(await sendingDisagreements(service, await entriesOf(dataDir, runId))));
  return found;
}

type PerRow = { input: Cells[]; csv: Cells[]; json: Cells[]; shown: Shown[] };

function rowDisagreements(at: number, rows: PerRow, books: Books): string[] {
  const found: string[] = [];
  const expect = (what: string, actual: unknown, wanted: unknown): void => {
    if (actual !== wanted) found.push(`${what} is ${String(actual)} and not ${String(wanted)}`);
  };
  const [input, csv, json, shown] = [rows.input[at], rows.csv[at], rows.json[at], rows.shown[at]];
  if (!input || !csv || !json || !shown) return ['it is missing somewhere'];
  for (const [name, value] of Object.entries(json)) {
    expect(`${name} in the CSV`, csv[name], value === null ? '' : String(value));
    if (name in shown && name !== 'amount' && name !== 'name' && name !== 'currency')
      expect(`${name} in the journal`, shown[name], value);
  }
  for (const name of ['payee_id', 'name', 'amount', 'currency', 'rail'])
    expect(`${name} reported`, csv[name], input[name]);
  expect('row', shown.row, at + 2);
  expect('state', shown.state, 'completed');
  const sent = decimalOf(csv.sent_amount);
  expect('the amount sent', sent, decimalOf(input.amount));
  expect('the currency sent', csv.sent_currency, currencyOf(input));
  const transaction = books.details.get(csv.transaction_id ?? '');
  if (!transaction) return [...found, `the service knows no transaction ${csv.transaction_id}`];
  const { currency_out: out, metadata, external_account_metadata: destination } = transaction;
  expect('the status at the service', transaction.status, 'COMPLETED');
  expect('the amount at the service', decimalOf(majorOf(out.value, out.decimals)), decimalOf(input.amount));
  expect('the currency at the service', out.code, input.currency);
  expect('the chain at the service', out.chain ?? '', input.chain);
  expect('the token is in the description', metadata?.description?.split(' ').at(-1), csv.token);
  expect('the account that was paid', destination?.id, csv.external_account_id);
  const recipient = books.recipients.find(({ id }) => id === csv.recipient_id);
  expect('the recipient', recipient?.metadata.name, input.name);
  expect("the recipient's e-mail", recipient?.metadata.email, input.email);
  const account = books.accounts.get(csv.recipient_id ?? '')?.find(({ id }) => id === csv.external_account_id);
  expect('the rail of the account', account?.type, input.rail);
  const number = input.wallet_address || input.account_number || '';
  const known = account?.address ?? account?.account_number ?? '';
  expect('the number of the account', known.slice(-4).toLowerCase(), number.slice(-4).toLowerCase());
  return found;
}

/** Zero duplicates and zero lost, over the whole. Each payee has one account. */
function wholeDisagreements(input: Cells[], shown: Shown[], books: Books): string[] {
  const found: string[] = [];
  const { transactions, recipients, accounts } = books;
  const paying = transactions.filter(({ status }) => status !== 'FAILED');
  if (paying.length !== input.length) found.push(`${paying.length} payments for ${input.length} rows`);
  const claims = new Map<unknown, number>();
  for (const { transaction_id } of shown) claims.set(transaction_id, (claims.get(transaction_id) ?? 0) + 1);
  for (const [id, count] of claims) if (count > 1) found.push(`${count} rows name the transaction ${String(id)}`);
  for (const { id, metadata } of transactions)
    if (!claims.has(id)) found.push(`no row names the transaction ${id} (${metadata?.description})`);
  const accountCount = [...accounts.values()].reduce((sum, list) => sum + list.length, 0);
  const payees = new Set(input.map(({ payee_id }) => payee_id)).size;
  if (recipients.length !== payees) found.push(`${recipients.length} recipients for ${payees} payees`);
  if (accountCount !== payees) found.push(`${accountCount} accounts for ${payees} payees`);
  return found;
}

/** No more requests than durable intents: none was sent before its intent, and none twice for one. */
async function sendingDisagreements(service: KillableService, entries: readonly PlacedEntry[]): Promise<string[]> {
  const counted = Object.entries(await service.arrivals());
  return KINDS.flatMap(({ what, operations, intent, doubt, target }) => {
    const ofKind = entries.map(({ entry }) => entry).filter((entry) => !('target' in entry) || entry.target === target);
    const intents = ofKind.filter(({ kind }) => kind === intent).length;
    const own = ofKind.filter((entry) => entry.kind === doubt && 'reason' in entry && !isLeft(entry.reason)).length;
    const arrived = counted.reduce((sum, [name, count]) => sum + (operations.test(name) ? count : 0), 0);
    if (arrived <= intents + RESENDS_MAX * own) return [];
    return [
      `${arrived} requests for ${what} came, and the journal has ${intents} intents and ${own} doubts of its own`,
    ];
  });
}

const KINDS = [
  { what: 'payouts', operations: /^transaction\.transfer$/, intent: 'intent', doubt: 'doubt', target: null },
  {
    what: 'recipients',
    operations: /recipient\.create$/,
    intent: 'ensure_intent',
    doubt: 'ensure_doubt',
    target: 'recipient',
  },
  { what: 'accounts', operations: /\.add$/, intent: 'ensure_intent', doubt: 'ensure_doubt', target: 'account' },
] as const;

/** The same bytes may be sent again so often by the process that was in doubt itself. */
const RESENDS_MAX = 3;

/** A doubt that a process left to the next one, which may only look. */
function isLeft(reason: Note): boolean {
  return typeof reason !== 'string' && reason.code === 'process_stopped';
}

/** Every entry of the run, as the journal's file holds it. */
export async function entriesOf(dataDir: string, runId: string): Promise<PlacedEntry[]> {
  const journal = await openDataJournal({ dataDir });
  try {
    return await entriesIn(journal.readRun(runId));
  } finally {
    await journal.close();
  }
}

export function doubtsOf(entries: readonly PlacedEntry[]): Doubts {
  const found = entries.filter(({ entry }) => entry.kind === 'accepted' && entry.by !== 'answer').length;
  const absent = entries.flatMap(({ entry }) => (entry.kind === 'absent' ? [entry.by] : []));
  const accepted = absent.filter((by) => by === 'person').length;
  return { found, absent: absent.length - accepted, accepted };
}

async function shownPayouts(runId: string, dataDir: string): Promise<Shown[]> {
  const { exit, stdout, stderr } = await command(['show', runId, '--json', '--data-dir', dataDir]);
  if (exit !== 0) throw new Error(`show exits ${exit}: ${stderr}`);
  return JSON.parse(stdout).payouts;
}

function command(args: string[]): Promise<Ended> {
  return spawnPayrun(args).ended;
}

function currencyOf({ currency, chain }: Cells): string {
  return chain ? `${currency} on ${chain}` : (currency ?? '');
}

function majorOf(minor: string, decimals: number): string {
  const digits = minor.padStart(decimals + 1, '0');
  return `${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`;
}

/** Without zeros at the end, so that 1.50 is 1.5. */
function decimalOf(text: string | undefined): string {
  return (text ?? '').replace(/0+$/, '').replace(/\.$/, '');
}
