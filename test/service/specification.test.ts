import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationName } from '../../src/contract/operations.ts';
import type { ServiceOptions } from '../../src/service/options.ts';
import { expectAnswer } from './fuzz/expectations.ts';
import { addPayee, ledgerFindings, startTestService, type TestService, WALLET } from './harness.ts';
import { addOwn } from './specification/accounts.ts';
import { booksOf, type Given, type Row, sendAsIs } from './specification/row.ts';
import { SECTION_1 } from './specification/section-1.ts';
import { SECTION_2_AMOUNTS } from './specification/section-2-amounts.ts';
import { SECTION_2_RECORDS } from './specification/section-2-records.ts';
import { SECTION_3 } from './specification/section-3.ts';
import { SECTION_3_FAILURES } from './specification/section-3-failures.ts';
import { SECTION_4_ACCOUNTS } from './specification/section-4-accounts.ts';
import { SECTION_4_LISTING } from './specification/section-4-listing.ts';
import { SECTION_4_MARKET } from './specification/section-4-market.ts';
import { SECTION_4_NAMED } from './specification/section-4-named.ts';
import { SECTION_4_QUOTE } from './specification/section-4-quote.ts';
import { SECTION_4_TRANSFER } from './specification/section-4-transfer.ts';
import { SECTION_4_WITHDRAW } from './specification/section-4-withdraw.ts';
import { SECTION_5 } from './specification/section-5.ts';
import { SECTION_6 } from './specification/section-6.ts';
import { SECTION_7 } from './specification/section-7.ts';
import { SECTION_8_9 } from './specification/section-8-9.ts';

/*
 * One row for each statement of the interface specification, in its order, with what `decisions.md` adds where it is
 * silent. Each row is a request through HTTP and its answer. Rows are written from those two pages and not from the
 * code, so a row that is red is a mistake in the code until those pages say otherwise.
 */
const ROWS: readonly Row[] = [
  ...SECTION_1,
  ...SECTION_2_AMOUNTS,
  ...SECTION_2_RECORDS,
  ...SECTION_3,
  ...SECTION_3_FAILURES,
  ...SECTION_4_WITHDRAW,
  ...SECTION_4_QUOTE,
  ...SECTION_4_TRANSFER,
  ...SECTION_4_MARKET,
  ...SECTION_4_LISTING,
  ...SECTION_4_ACCOUNTS,
  ...SECTION_4_NAMED,
  ...SECTION_5,
  ...SECTION_6,
  ...SECTION_7,
  ...SECTION_8_9,
];

/** Every section that states something. */
const SECTIONS = ['1', '2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '3', '4.1', '4.2', '4.3', '4.4'];
SECTIONS.push('4.5', '4.6', '4.7', '4.8', '4.9', '5', '6', '7', '8', '9');

/** Codes and reasons of `decisions.md`, "Errors" and "Authentication"; 503 is in `snapshots.test.ts`. */
const WORDS = ['PARSE_ERROR', 'BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'METHOD_NOT_SUPPORTED'];
WORDS.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'TOO_MANY_REQUESTS', 'INTERNAL_SERVER_ERROR');
WORDS.push('INVALID', 'NOT_PAYABLE', 'NOT_RECEIVABLE', 'CRYPTO_TO_CRYPTO', 'BELOW_MINIMUM', 'RATE_DRIFT');
WORDS.push('SAME_CURRENCY', 'REFERENCE_TOO_LONG', 'RAIL_CURRENCY_MISMATCH');
WORDS.push('EXPIRED', 'REPLAYED', 'BAD_SIGNATURE', 'REVOKED');

let shared: Given;

beforeAll(async () => {
  shared = await prepare({});
});
afterAll(async () => {
  await expectSoundBooks(shared);
  await shared.service.close();
});

describe('the table', () => {
  it('is in the order of the specification and leaves no section out', () => {
    const sections = ROWS.map(({ section }) => section.split(' ')[0] ?? '');
    expect([...new Set(sections)]).toEqual(SECTIONS);
    const order = sections.map((section) => SECTIONS.indexOf(section));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('has successes and refusals of each operation, and each word of a refusal', () => {
    for (const operation of Object.keys(OPERATIONS)) {
      const answers = ROWS.filter((row) => row.operation === operation).map(({ is }) => is);
      expect([answers.includes(200), answers.some((is) => is !== 200)], operation).toEqual([true, true]);
    }
    const words = new Set(ROWS.flatMap(({ is }) => (is === 200 ? [] : is.slice(1))));
    for (const word of WORDS) expect(words).toContain(word);
  });

  it('says nothing twice', () => {
    const statements = ROWS.map(({ section, statement }) => `${section} ${statement}`);
    expect(statements.filter((statement, place) => statements.indexOf(statement) !== place)).toEqual([]);
  });
});

describe('the interface specification, statement by statement', () => {
  for (const row of ROWS)
    it(`${row.section}: ${row.statement}`, async () => {
      const given = row.alone ? await prepare(row.alone) : { ...shared, kept: {} };
      try {
        await hold(row, given);
        // A refusal leaves the books as they were: `hold` has seen it.
        if (row.is === 200 || row.alone) await expectSoundBooks(given);
      } finally {
        if (row.alone) await given.service.close();
      }
    });
});

async function expectSoundBooks({ service }: Given): Promise<void> {
  expect((await service.admin('verify')).data.findings).toEqual([]);
  expect(ledgerFindings(service.dataDir)).toEqual([]);
}

async function hold({ operation, body, is, shows, signing, change }: Row, given: Given): Promise<void> {
  const { service } = given;
  const request = typeof body === 'function' ? await body(given) : body;
  const signed = typeof signing === 'function' ? await signing(given) : signing;
  const usual = { ...service.sign(operation, request, signed), method: 'POST' as const };
  const outgoing = change ? await change(usual, given) : usual;
  const before = is === 200 ? '' : await booksOf(service);
  const reply = await sendAsIs(service, outgoing);
  const told = reply.status === 200 ? 200 : wordsOf(reply.status, reply.error?.code, reply.error?.reason);
  expect(told, reply.text.slice(0, 500)).toBe(is === 200 ? 200 : wordsOf(...is));
  if (is !== 200) expect(await booksOf(service)).toBe(before);
  else expectAnswer(operation as OperationName, reply, 'a row');
  await shows?.(reply, given);
}

const wordsOf = (status: number, code = '', reason = '') => [status, code, reason].join(' ');

/** Nothing settles by itself: a row that wants it moves the clock. */
async function prepare(options: Partial<ServiceOptions>): Promise<Given> {
  const service: TestService = await startTestService({ settleMs: 50_000, ...options });
  const { recipientId, accountId } = await addPayee(service);
  const wallet = await service.data('account.external.web3.add', { ...WALLET, recipient_id: recipientId });
  const own = new Map<string, Promise<string>>();
  return {
    service,
    customerId: service.service.customerId,
    recipientId,
    accountId,
    walletId: wallet.id,
    own(rail) {
      const id = own.get(rail) ?? addOwn(service, rail);
      own.set(rail, id);
      return id;
    },
    kept: {},
  };
}
