import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { everywhere } from '../../../src/app/people/grants.ts';
import type { Counts, Entry, PlanEnd, RunRow, StopReason } from '../../../src/domain/entry.ts';
import { endedPayout, sampleHeader, sampleIntent, samplePlan, sampleRow } from '../../journal/samples.ts';
import { browserTest, useChromium, type Visitor } from '../../support/browser.ts';
import { pageAtPort } from '../served.ts';
import { office, payroll } from '../walked-office.ts';
import { type Browser, PASSWORD, type TestPage } from '../web-page.ts';
import { expectGoodPage } from './good-page.ts';

// What people see seldom: nothing yet, everything refused, a payment in each of its states. Each is looked at as every other page.

const chromium = useChromium();
/** A quiet machine needs half a minute of each. */
const PATIENCE_MS = 600_000;

/** What a page says in one of its states. With a `form`, it is the answer to that; `open` does what shows the rest of it. */
type State = readonly [path: string, says: string | RegExp, more?: More];
type More = { form?: Readonly<Record<string, string>>; open?: (page: Page) => Promise<void> };

/** Another browser of somebody who is in already. */
async function browserOf({ origin }: TestPage, { cookie }: Browser): Promise<Visitor> {
  const visitor = await chromium.visitor(origin);
  const [name = '', value = ''] = cookie.split(/=(.*)/);
  await visitor.context.addCookies([{ name, value, url: origin }]);
  return visitor;
}

const SEND = `({ path, form }) => {
  const sent = Object.assign(document.createElement('form'), { method: 'post', action: path });
  for (const [name, value] of Object.entries(form)) sent.append(Object.assign(document.createElement('input'), { name, value }));
  document.body.append(sent);
  sent.submit();
}`;

/** Opens each, and tells of all of them what is wrong. */
async function look({ page, open }: Visitor, states: readonly State[]): Promise<void> {
  const found: string[] = [];
  for (const [path, says, { form, open: more } = {}] of states) {
    const seen = async () => {
      if (form === undefined) await open(path);
      else await Promise.all([page.waitForNavigation(), page.evaluate(`(${SEND})(${JSON.stringify({ path, form })})`)]);
      await page.locator('main').getByText(says).filter({ visible: true }).first().waitFor();
      await more?.(page);
      await expectGoodPage(page);
    };
    await seen().catch((error: Error & { actual?: unknown }) =>
      found.push(`${path}, where it says ${says}: ${error.message} ${JSON.stringify(error.actual)}`),
    );
  }
  expect(found).toEqual([]);
}

/** Unfolds all that is folded, and shows what lists hide. */
async function unfold(page: Page): Promise<void> {
  for (const summary of await page.locator('main details:not([open]) > summary').all())
    if (await summary.isVisible()) await summary.click();
}

const LONG = `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(2)} & Söhne`;
const CURRENCIES = ['AUD', 'EUR', 'GBP', 'INR', 'JPY', 'KWD', 'MXN', 'USD'];

/** A row of payment n. Amounts differ between payments, so that one does not count as paid by another. */
function rowIn(row: number, n: number): RunRow {
  const sample = sampleRow(row);
  const code = CURRENCIES[row % CURRENCIES.length] ?? '';
  const order = sample.order && {
    ...sample.order,
    payee: { ...sample.order.payee, name: row === 2 ? LONG : `Payee ${row}` },
    amount_minor: String(row * 123_456_789 + n),
    currency: { code, chain: null, decimals: code === 'JPY' ? 0 : 2 },
  };
  return { ...sample, order };
}

type Payment = {
  entries?: readonly Entry[];
  isStarted?: boolean;
  isHeld?: boolean;
  approvers?: string[];
  name?: string;
};

/** Writes a payment of ten payouts in eight currencies as it stands after these entries. Its address. */
async function payment(page: TestPage, n: number, given: Payment): Promise<string> {
  const { entries = [], isStarted = true, isHeld = false, approvers = null, name = 'payroll.csv' } = given;
  const id = `R20261125-${String(n).padStart(8, '0')}`;
  const sample = sampleHeader(id);
  const header = { ...sample, rehearsal: false, payouts: 10, input: { ...sample.input, name } };
  const rows = Array.from({ length: 10 }, (_, at) => rowIn(at + 2, n));
  const totals = CURRENCIES.map((code) => ({
    currency: { code, chain: null, decimals: code === 'JPY' ? 0 : 2 },
    payouts: 1,
    planned_minor: '98765432109',
    fees_minor: '0',
  }));
  const people = approvers?.map((one) => ({ name: one, public_key: `key of ${one}` })) ?? [];
  const bands = [{ over: null, approvals: 1 }];
  const approval = approvers && { approvers: people, bands, valid_for_ms: 60_000, preparer: 'Anna' };
  const all: Entry[] = [
    { kind: 'rows', rows },
    { kind: 'planned', plan: { ...samplePlan(header), totals, approval } },
    ...(isStarted ? [{ kind: 'started' as const, by: 'anna@desk-7' }] : []),
    ...entries,
  ];
  const created = await page.journal.createRun({ header, rows: all, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error('the run was not created');
  if (!isHeld) await created.writer.release();
  return `/runs/${id}`;
}

const ended = (as: PlanEnd['as']): Payment => ({
  isStarted: false,
  approvers: ['Bea'],
  entries: [
    { kind: 'cancelled', by: 'payrun@desk-7', plan_end: { as, person: 'Bea', reason: `${LONG} is paid twice.` } },
  ],
});
const stopped = (reason: StopReason, ...before: Entry[]): Payment => ({
  entries: [...before, { kind: 'stopped', reason }],
});
const NONE: Counts = { completed: 0, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };
const over = (counts: Partial<Counts>, ...before: Entry[]): Payment => ({
  entries: [...before, { kind: 'finished', counts: { ...NONE, ...counts } }],
});
const all = (status: 'COMPLETED' | 'FAILED') =>
  Array.from({ length: 10 }, (_, at) => endedPayout(at + 2, { status })).flat();
const doubted: Entry[] = [
  sampleIntent(2),
  { kind: 'doubt', row: 2, attempt: 1, reason: 'The answer was lost.', answer: 'lost' },
  { kind: 'unresolved', row: 2, attempt: 1, about: 'no_expiry', reason: 'No expiry.', transactions: ['tx_1', 'tx_2'] },
];
const cancelled: Entry = { kind: 'cancelled', by: 'anna@desk-7' };

const EMPTY: readonly State[] = [
  ['/runs', 'No payments yet'],
  ['/approvals', /Nothing/],
  ['/payees', /Nobody|No /],
  ['/reports', /No/],
  ['/reports/spend', /No/],
  ['/jobs', /No/],
  ['/notices', /No/],
  ['/audit', /Anna/],
  ['/uploads/new', 'Nobody here can approve'],
];

/** How a payment may stand, and what its page says then. */
const PAYMENTS: readonly (readonly [payment: Payment, says: string | RegExp])[] = [
  [{ isStarted: false, approvers: ['Bea'], name: `${LONG}.csv` }, /Awaiting approval by/],
  [ended('rejected'), 'Rejected'],
  [ended('recalled'), 'Recalled'],
  [{ isHeld: true }, 'Preparing'],
  [{ isHeld: true, entries: [...endedPayout(2), sampleIntent(3)] }, 'Sending'],
  [{ isHeld: true, entries: [sampleIntent(3), cancelled] }, 'Stopping'],
  [{ entries: [sampleIntent(3)] }, 'Cut off'],
  [stopped('interrupted', { kind: 'paused', by: 'anna@desk-7' }), 'Paused'],
  [stopped('outage'), 'The service was away'],
  [stopped('wait_timeout', sampleIntent(3)), 'Timed out'],
  [stopped('person_needed', ...doubted), 'It needs you'],
  [stopped('interrupted', cancelled), 'Stopped'],
  [over({ completed: 10 }, ...all('COMPLETED')), 'Completed'],
  [over({ failed: 10 }, ...all('FAILED')), /10 failed/],
  [over({ unresolved: 1, not_submitted: 9 }, ...doubted, cancelled), /needs a decision/],
  [over({ not_submitted: 10 }, cancelled), /10/],
];

browserTest(
  'live: nothing yet, every state of a payment, and what who sees only counts sees of it',
  async () => {
    const held = CURRENCIES.map((code) => ({ minor: 98_765_432_109n, currency: { code, chain: null, decimals: 2 } }));
    const page = await pageAtPort({
      isAlive: () => true,
      options: { rehearsal: false },
      services: { started: { service: 'api.example.com', keyId: 'key' }, balances: async () => held },
    });
    const anna = await browserOf(page, await page.first('Anna', ['preparer', 'viewer']));
    await look(anna, [['/', 'No payments yet'], ['/', 'More currencies (2)', { open: unfold }], ...EMPTY]);
    const cara = await page.person('Cara', ['viewer', 'preparer']);
    const { id = '' } = (await page.web.people.byName('Cara')) ?? {};
    await page.web.people.setGrants(
      id,
      (['viewer', 'preparer'] as const).map((role) => ({ ...everywhere(role), details: false })),
    );
    const payments: [path: string, says: string | RegExp][] = [];
    for (const [n, [given, says]] of PAYMENTS.entries()) payments.push([await payment(page, n, given), says]);
    const at = (n: number) => payments[n]?.[0] ?? '';
    await look(anna, [
      ...payments,
      [`${at(2)}/approve`, 'Only a person with the role'],
      [`${at(4)}/cancel`, 'Stop this run?'],
      [`${at(10)}/doubts/2`, 'What you can do', { open: unfold }],
      [`${at(10)}/payouts/2`, LONG, { open: unfold }],
      [`${at(13)}/remaining`, 'Leave out'],
      [`${at(13)}/payouts/2`, LONG, { open: unfold }],
      [`${at(14)}/warnings`, 'The warnings were removed with the file'],
      [`${at(14)}/files`, 'Reports'],
      [`${at(14)}/verification`, 'Hashes', { open: unfold }],
      ['/runs', LONG],
    ]);
    const hidden = 'Names and amounts of this payment are hidden from you';
    await look(await browserOf(page, cara), [
      ...[0, 1, 4, 10, 13].map((n) => [at(n), hidden] as const),
      [`${at(4)}/cancel`, 'Stop this run?'],
      ['/', /payment/i],
    ]);
    await expectModes(anna);
  },
  PATIENCE_MS,
);

/** On a phone too, the bar fits the mode, the filter and the switch. */
async function expectModes({ page, open }: Visitor): Promise<void> {
  await open('/runs');
  for (const [width, isNamed] of [
    [1440, true],
    [390, false],
  ] as const)
    for (const [button, mode, found] of [
      ['Switch to TEST', 'test', 0],
      ['Switch to LIVE', 'live', 1],
      ['Show both', 'live', 1],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      const bar = page.getByRole('region', { name: 'Live or test' });
      await bar.getByRole('button', { name: button }).click();
      await page.locator(`body.${mode}`).waitFor();
      await page.waitForLoadState();
      expect(Math.min(1, await page.locator('main tbody tr').count())).toBe(found);
      expect(await bar.getByText('api.example.com').isVisible()).toBe(isNamed && mode === 'live');
      expect(await bar.evaluate((shown) => shown.scrollWidth <= shown.clientWidth)).toBe(true);
      await expectGoodPage(page);
    }
}

browserTest(
  'test: refused, locked out, held, removed, too large and not there',
  async () => {
    const here = await office(pageAtPort);
    const { page, ben, anna } = here;
    const ids = await payroll(here);
    const [paid = '', waiting = ''] = ids.runs;
    const [payee = ''] = ids.payees;
    const [, , draft = ''] = ids.uploads;
    const annaId = (await page.web.people.byName('Anna'))?.id ?? '';
    const approver = await browserOf(page, anna);
    await look(approver, [
      ['/', /Pay of waldemar/i],
      ['/approvals', 'Review'],
      [`/runs/${waiting}/approve`, 'Your decision'],
      [`/runs/${waiting}/approve`, /wrong|total/i, { form: { total: '1.00 AUD', password: 'not hers at all' } }],
      [`/runs/${waiting}/reject`, 'Reject this payment?'],
      [`/runs/${waiting}/reject`, 'Reject this payment?', { form: { reason: '' } }],
      ['/payees?only=held', /Quixworth|Ysolde/],
      ['/payees?q=nobody', /No|Nobody/],
      [`/payees/${payee}`, 'On hold', { open: unfold }],
      ['/notices', /./],
      ['/me/password', 'Wrong password.', { form: { current: 'not hers', password: PASSWORD, again: PASSWORD } }],
      ['/uploads/new', 'Only a person with the role'],
      [`/runs/${paid}/comments`, 'That is too much for this form.', { form: { comment: 'x'.repeat(300_000) } }],
      ['/nowhere', 'There is no page at this address.'],
      ['/runs/R20260101-00000000', 'Run not found.'],
      ['/payees/none', /no such/i],
      [`/uploads/${draft}0`, /not found|not uploaded here/i],
    ]);
    const preparer = await browserOf(page, ben);
    await look(preparer, [
      [`/runs/${waiting}/recall`, 'Recall this payment?'],
      [`/runs/${waiting}/cancel`, 'Discard this payment?'],
      [`/runs/${waiting}/approve`, 'Only a person with the role'],
      [`/runs/${paid}/remaining`, /Ysolde/],
      [`/uploads/${draft}`, 'Draftmann', { open: unfold }],
      [`/uploads/${draft}/remove`, /removed/, { form: {} }],
      [`/uploads/${draft}`, /removed/],
      [`/people/${annaId}/lock`, 'Deactivated', { form: {} }],
      ['/me/webhooks', /./],
    ]);
  },
  PATIENCE_MS,
);
