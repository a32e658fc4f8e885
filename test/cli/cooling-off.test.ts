import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { compareWithPast } from '../../src/app/compare/compare-runs.ts';
import { ComparedPayouts } from '../../src/app/compare/compared-payouts.ts';
import { coolingOf, coolingRows, coolingText } from '../../src/app/compare/cooling-off.ts';
import { PAST_PAYOUTS_MAX } from '../../src/app/compare/past-payouts.ts';
import type { Entry, RunCreated, RunRow } from '../../src/domain/entry.ts';
import type { PayoutOrder } from '../../src/domain/payee.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { machineClock } from '../../src/platform/machine.ts';
import { open } from '../journal/open-sqlite.ts';
import { ManualClock } from '../journal/place.ts';
import { endedPayout, sampleHeader, samplePlan, sampleRow } from '../journal/samples.ts';
import { temporaryFolder } from '../support/payrun.ts';

const DAY = 86_400_000;
const PAID = { isRehearsal: false, isHere: true, isLastOfJob: false, isInWindow: false };
const LAST_YEAR = { id: 'R1', at: Date.now() - 365 * DAY, ...PAID };
const YESTERDAY = { id: 'R2', at: Date.now() - DAY, ...PAID };

/** A payee who gets something on an account that the service has. */
function orderOf(row: number, payeeId: string, code: string, external_account_id: string): PayoutOrder {
  const { order } = sampleRow(row);
  if (order === null) throw new Error('a sample without an order');
  return {
    ...order,
    payee: { ...order.payee, payee_id: payeeId },
    destination: { kind: 'existing', external_account_id },
    currency: { code, chain: null, decimals: 2 },
  };
}

const rowOf = (order: PayoutOrder): RunRow => ({ ...sampleRow(order.row), order });

it('an account that somebody else was paid on is new to a payee, in a currency that is new to them or not', () => {
  const orders = [
    orderOf(2, 'E1', 'EUR', 'ea_of_mary'),
    orderOf(3, 'E9', 'EUR', 'ea_of_mary'),
    orderOf(4, 'E2', 'EUR', 'ea_of_mary'),
    orderOf(5, 'E1', 'USD', 'ea_of_adam'),
    orderOf(6, 'E8', 'EUR', 'ea_of_none'),
  ];
  const compared = new ComparedPayouts(orders.map(rowOf));
  compared.add(orderOf(2, 'E2', 'EUR', 'ea_of_mary'), YESTERDAY, 'paid');
  compared.add(orderOf(2, 'E1', 'AUD', 'ea_of_adam'), LAST_YEAR, 'paid');
  compared.add(orderOf(3, 'E2', 'EUR', 'ea_of_mary'), LAST_YEAR, 'paid');
  expect(
    coolingRows(30 * DAY, compared, null, machineClock.wallMs()).map(({ order, why }) => [order.row, why]),
  ).toEqual([
    [2, { why: 'never_paid', payee: 'E1', account: '••••mary' }],
    [3, { why: 'never_paid', payee: 'E9', account: '••••mary' }],
    [6, { why: 'never_paid', payee: null, account: '••••none' }],
  ]);
});

it('an account is new to a payee for as long as the job says, whoever was paid on it long ago', () => {
  const compared = new ComparedPayouts([rowOf(orderOf(2, 'E1', 'EUR', 'ea_of_mary'))]);
  compared.add(orderOf(2, 'E1', 'EUR', 'ea_of_mary'), YESTERDAY, 'paid');
  compared.add(orderOf(2, 'E2', 'EUR', 'ea_of_mary'), LAST_YEAR, 'paid');
  const [found] = coolingRows(30 * DAY, compared, null, machineClock.wallMs());
  expect(found && coolingText(found)).toMatch(/^Row 2: .* E1 was not paid to ••••mary before run R2 of /);
});

it('an account is not new where much was paid since it was paid on', async () => {
  const order = orderOf(2, 'E1', 'EUR', 'ea_of_adam');
  const { journal } = lastYear();
  await addPaid(journal, 'R1', order);
  await addPaid(journal, 'R2', orderOf(2, 'E2', 'EUR', 'ea_of_mary'), PAST_PAYOUTS_MAX);
  const last = await addPaid(journal, 'R3', orderOf(2, 'E2', 'EUR', 'ea_of_mary'));
  const given = { journal, clock: machineClock, repeatWindowMs: 0, coolingMs: 30 * DAY };
  const compared = await compareWithPast({ ...last, run_id: 'R4' }, [rowOf(order)], given);
  await journal.close();
  expect(coolingRows(30 * DAY, compared, null, machineClock.wallMs())).toEqual([]);
});

it('older runs are read only until the accounts of the rows are found old', async () => {
  const order = orderOf(2, 'E1', 'EUR', 'ea_of_adam');
  const { journal, dataDir } = lastYear();
  await addPaid(journal, 'R1', orderOf(2, 'E3', 'EUR', 'ea_of_mary'));
  await addPaid(journal, 'R2', order);
  const last = await addPaid(journal, 'R3', order, PAST_PAYOUTS_MAX);
  await journal.close();
  // Where neither what was stored of it nor its entries can be relied on, a run cannot be compared: reading it is noticed.
  const database = new DatabaseSync(join(dataDir, 'journal.db'));
  database.exec(`DROP TRIGGER entry_is_never_changed; UPDATE entry SET data = '{}' WHERE kind = 'rows' AND run = 1`);
  database.exec('UPDATE projected_run SET proof = head_hash WHERE run = 1');
  database.close();
  const reopened = open(join(dataDir, 'journal.db'));
  const coolingRowsOf = async (one: PayoutOrder) => {
    const given = { journal: reopened, clock: machineClock, repeatWindowMs: 0, coolingMs: 30 * DAY };
    const compared = await compareWithPast({ ...last, run_id: 'R4', job: null }, [rowOf(one)], given);
    return coolingRows(30 * DAY, compared, null, machineClock.wallMs());
  };
  expect(await coolingRowsOf(order)).toEqual([]);
  const ofMary = coolingRowsOf(orderOf(2, 'E3', 'EUR', 'ea_of_mary'));
  const cause = { code: 'entry_rewritten', of: 'R1', n: 3 };
  await expect(ofMary).rejects.toMatchObject({ reason: { code: 'history_unreadable', cause } });
  await reopened.close();
});

it('an approver is told that an account was not at the service yet, where the journal knows it long since', async () => {
  const order = orderOf(2, 'E1', 'EUR', 'ea_of_adam');
  const { journal } = lastYear();
  const header = { ...(await addPaid(journal, 'R1', order)), run_id: 'R2' };
  const plan = { ...samplePlan(header), cooling_off: [2] };
  const cooling = await coolingOf({ header, plan, rows: [rowOf(order)] }, { journal, clock: machineClock });
  await journal.close();
  expect([...cooling.values()].map(coolingText)).toEqual([
    expect.stringMatching(/ When the plan was made, its account was changed, new, or not at the service yet\.$/),
  ]);
});

/** An empty journal of a year ago, and its folder. */
function lastYear(): { journal: Journal; dataDir: string } {
  const dataDir = temporaryFolder();
  const clock = new ManualClock();
  clock.now = LAST_YEAR.at;
  return { journal: open(join(dataDir, 'journal.db'), { clock }), dataDir };
}

/** A run that says that it has so many payouts, and that has paid this one. */
async function addPaid(journal: Journal, runId: string, order: PayoutOrder, payouts = 1): Promise<RunCreated> {
  const header = { ...sampleHeader(runId, runId.repeat(20)), payouts };
  const rows: Entry[] = [{ kind: 'rows', rows: [rowOf(order)] }];
  const created = await journal.createRun({ header, rows, refuseRepeat: true });
  if (created.outcome !== 'created') throw new Error(created.outcome);
  await created.writer.append(endedPayout(order.row, { minor: order.amount_minor }));
  await created.writer.release();
  return header;
}
