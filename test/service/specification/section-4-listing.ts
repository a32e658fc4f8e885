import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { addPayee, settled, type TestService } from '../harness.ts';
import { eth, eur, gbp, usd, usdc } from './amounts.ts';
import { aMinuteLater, type Given, INVALID, type Row } from './row.ts';
import { ended, freshPayout, freshSwap, payout, payTo } from './transfers.ts';

const OPERATION = 'transaction.getMany';

type Listed = { id: string; status: string; created_at: string };
const idsOf = (data: { transactions: Listed[] }) => data.transactions.map(({ id }) => id);

const takes = (statement: string, body: Row['body'], shows?: Row['shows']): Row => ({
  section: '4.4',
  statement,
  operation: OPERATION,
  body,
  is: 200,
  ...(shows ? { shows } : {}),
});
const refuses = (statement: string, body: Row['body']): Row => ({
  section: '4.4',
  statement,
  operation: OPERATION,
  body,
  is: INVALID,
});

/** A word that nothing else has in it. */
const newWord = () => `w${randomBytes(6).toString('hex')}`;

/** One transaction of each kind, oldest first, all with the same word in their descriptions. */
async function history({ service, own, accountId }: Given): Promise<{ word: string; ids: Record<string, string> }> {
  const word = newWord();
  const metadata = { metadata: { description: `${word} June` } };
  const failing = await addPayee(service, 'REHEARSE_KYB');
  const send = (request: object) => service.data('transaction.transfer', request);
  const ids = {
    payout: await send(payTo(accountId, gbp(100_00), undefined, metadata)),
    failed: await send(payTo(failing.accountId, gbp(900_00), undefined, metadata)),
    buy: await send(await freshSwap(service, usd(100_00), usdc(0), metadata)),
    sell: await send(await freshSwap(service, gbp(100_00), eur(0), metadata)),
    sellCrypto: await send(await freshSwap(service, eth(10n ** 18n), usd(0), metadata)),
    abroad: await send(await freshPayout(service, await own('EUR_SEPA'), gbp(100_00), eur(0), metadata)),
  };
  await aMinuteLater(service);
  for (const id of Object.values(ids)) await settled(service, id);
  return { word, ids };
}

const ofType = (type: string | undefined, kinds: string[]): Row =>
  takes(
    `type ${type ?? 'left out'} means ${kinds.join(', ')}`,
    async (given: Given) => {
      given.kept.history = await history(given);
      return { search: given.kept.history.word, ...(type ? { type } : {}) };
    },
    ({ data }, { kept }) => expect(idsOf(data)).toEqual(kinds.map((kind) => kept.history.ids[kind]).reverse()),
  );

const TYPES: readonly Row[] = [
  ofType('all', ['payout', 'failed', 'buy', 'sell', 'sellCrypto', 'abroad']),
  ofType(undefined, ['payout', 'failed', 'buy', 'sell', 'sellCrypto', 'abroad']),
  ofType('withdraw', ['payout', 'failed', 'abroad']),
  ofType('buy', ['buy']),
  ofType('sell', ['sell', 'sellCrypto']),
  ofType('deposit', []),
  takes(
    'type deposit means money in from outside: what a bank sent back',
    async (given) => {
      const id = await given.service.data('transaction.transfer', payout()(given));
      await ended(given.service, id);
      given.kept.deposit = (await given.service.admin('transaction.return', { id })).data.deposit_id;
      return { type: 'deposit', limit: 1 };
    },
    ({ data }, { kept }) => expect(idsOf(data)).toEqual([kept.deposit]),
  ),
  ...['swap', 'ALL', '', 'withdraw,buy'].map((type) => refuses(`no type ${JSON.stringify(type)}`, { type })),
];

/** A payout whose every text is known, found by one of them. */
const finds = (statement: string, searchFor: (record: Found) => string, isFound = true): Row =>
  takes(
    `search ${isFound ? 'finds' : 'does not find'} ${statement}`,
    async ({ service, kept }) => {
      const { accountId } = await addPayee(service, `Zoë Straße ${newWord()}`);
      const more = { metadata: { description: `June ﬁnal ${newWord()}` }, reference: `R ${newWord()}` };
      kept.id = await service.data('transaction.transfer', payTo(accountId, gbp(100), undefined, more));
      return { search: searchFor(await service.data('transaction.get', { id: kept.id })) };
    },
    ({ data }, { kept }) => expect(idsOf(data)).toEqual(isFound ? [kept.id] : []),
  );

type Found = {
  id: string;
  external_reference: string;
  metadata: { description: string; payout_reference: string; required_fields: { reference: { value: string } } };
  external_account_metadata: { account_name: string };
};
const accountName = (record: Found) => record.external_account_metadata.account_name;
const referenceOf = (record: Found) => record.metadata.required_fields.reference.value;
const lastWord = (text: string) => text.split(' ').at(-1) ?? '';

const SEARCH: readonly Row[] = [
  finds('by id', ({ id }) => id),
  finds('by description', ({ metadata }) => lastWord(metadata.description)),
  finds('by reference', (record) => lastWord(referenceOf(record))),
  finds('by payout_reference', ({ metadata }) => metadata.payout_reference),
  finds('by external_reference', ({ external_reference }) => external_reference),
  finds('by account_name', (record) => lastWord(accountName(record))),
  finds('a part of a word', ({ metadata }) => lastWord(metadata.description).slice(2, -1)),
  finds('in any case', ({ metadata }) => lastWord(metadata.description).toUpperCase()),
  finds('ß by SS (case folding)', (record) => `STRASSE ${lastWord(accountName(record))}`),
  finds('a ligature by its letters (NFKC)', ({ metadata }) => `FINAL ${lastWord(metadata.description)}`),
  finds('a full-width word (NFKC)', ({ metadata, id }) => `Ｊｕｎｅ ${id} ${lastWord(metadata.description)}`),
  finds('a decomposed letter (NFKC)', (record) => `zoe\u0308 ${lastWord(accountName(record))}`),
  finds('every word in another field', (record) => `${lastWord(referenceOf(record))} ${lastWord(accountName(record))}`),
  finds(
    'words in any order, with any blanks',
    ({ metadata, id }) => ` ${lastWord(metadata.description)} \t june  ${id}`,
  ),
  finds('where one word is missing', ({ metadata }) => `${lastWord(metadata.description)} July`, false),
  finds('by the rail: it is none of the fields', ({ id }) => `${id} GBP_FPS`, false),
  finds('by the account number', ({ id }) => `${id} 12345678`, false),
  finds('a word over the border of two words', ({ metadata }) => metadata.description.replaceAll(' ', ''), false),
  finds('% for any text', ({ id }) => `${id.slice(0, -2)}%`, false),
  takes('a search for blanks is none', { search: ' \u3000 ', limit: 1 }, async ({ data }, { service }) =>
    expect(data).toEqual(await service.data(OPERATION, { limit: 1 })),
  ),
  refuses('search is a string', { search: 7 }),
];

const LIMITS: readonly Row[] = [
  takes('limit 1', { limit: 1 }, ({ data }) => expect(data.transactions).toHaveLength(1)),
  takes('limit 500', { limit: 500 }),
  ...[0, -1, 501, 1.5, '50', null, 1e300].map((limit) => refuses(`no limit ${JSON.stringify(limit)}`, { limit })),
  {
    ...takes(
      'without limit there are 50, and a cursor to the rest',
      async (given) => {
        await manyPayouts(given, 53);
        return {};
      },
      async ({ data }, { service }) => {
        expect([data.transactions.length, data.totals.transfers]).toEqual([50, 53]);
        const rest = await service.data(OPERATION, { cursor: data.next_cursor });
        expect([rest.transactions.length, rest.totals.transfers, rest.next_cursor]).toEqual([3, 53, null]);
        expect(new Set([...idsOf(data), ...idsOf(rest)]).size).toBe(53);
      },
    ),
    alone: {},
  },
];

async function manyPayouts({ service, accountId }: Given, count: number): Promise<void> {
  const send = () => service.data('transaction.transfer', payTo(accountId, gbp(100)));
  await Promise.all(Array.from({ length: count }, send));
}

async function pages(service: TestService, request: object): Promise<Listed[]> {
  const seen: Listed[] = [];
  let cursor: string | null = null;
  do {
    const data: { transactions: Listed[]; next_cursor: string | null } = await service.data(OPERATION, {
      ...request,
      ...(cursor === null ? {} : { cursor }),
    });
    seen.push(...data.transactions);
    cursor = data.next_cursor;
  } while (cursor !== null);
  return seen;
}

const PAGES: readonly Row[] = [
  {
    ...takes(
      'newest first (created_at, then id), each once, over all pages',
      async (given) => {
        await manyPayouts(given, 30);
        await given.service.admin('clock.advance', { ms: 10 });
        await manyPayouts(given, 15);
        return { limit: 500 };
      },
      async ({ data }, { service }) => {
        const order = (record: Listed) => `${record.created_at} ${record.id}`;
        const whole: string[] = data.transactions.map(order);
        expect(whole).toHaveLength(45);
        expect(whole).toEqual([...whole].sort().reverse());
        for (const limit of [1, 7, 45]) expect((await pages(service, { limit })).map(order)).toEqual(whole);
      },
    ),
    alone: {},
  },
  refuses('a cursor that was made up is refused', { cursor: 'next' }),
  takes(
    'it reads its own writes',
    async (given) => {
      given.kept.id = await given.service.data('transaction.transfer', payout()(given));
      return { limit: 1 };
    },
    ({ data }, { kept }) => expect(idsOf(data)).toEqual([kept.id]),
  ),
  takes(
    'recipient_id restricts to a recipient',
    async ({ service, kept }) => {
      const { recipientId, accountId } = await addPayee(service);
      kept.id = await service.data('transaction.transfer', payTo(accountId, gbp(100_00)));
      return { recipient_id: recipientId };
    },
    ({ data }, { kept }) =>
      expect([idsOf(data), data.totals.transfers, data.next_cursor]).toEqual([[kept.id], 1, null]),
  ),
  takes(
    'a recipient without transfers has none',
    async ({ service }) => ({ recipient_id: (await addPayee(service)).recipientId }),
    ({ data }) =>
      expect(data).toEqual({ transactions: [], totals: { transfers: 0, fiatAmount: 0 }, next_cursor: null }),
  ),
  refuses('recipient_id is a string', { recipient_id: 7 }),
  refuses('unknown fields are refused', { status: 'PENDING' }),
];

const TOTALS: readonly Row[] = [
  {
    ...takes(
      'totals are in US dollars, over the whole filtered set, without FAILED',
      async (given) => {
        given.kept.history = await history(given);
        return { limit: 1, type: 'withdraw', search: given.kept.history.word };
      },
      async ({ data }, { service, kept }) => {
        // Two payouts of 100 pounds; the third, of 900, has failed.
        expect([data.transactions.length, data.totals.transfers]).toEqual([1, 2]);
        const { fiatAmount } = (await service.data(OPERATION, { search: kept.history.ids.payout })).totals;
        expect(Math.abs(data.totals.fiatAmount / fiatAmount - 2)).toBeLessThan(0.03);
        const quoted = await service.data('quote.get', { currency_out: gbp(100_00), currency_in: usd(0) });
        expect(Math.abs(fiatAmount / (Number(quoted.bid.value) / 100) - 1)).toBeLessThan(0.02);
        const failed = await service.data(OPERATION, { search: kept.history.ids.failed });
        expect([failed.transactions.length, failed.totals]).toEqual([1, { transfers: 0, fiatAmount: 0 }]);
        for (const request of [{}, { limit: 1 }, { type: 'all' }, { search: kept.history.word }])
          expect((await service.data(OPERATION, request)).totals.transfers).toBe(5);
        expect((await service.data(OPERATION, { type: 'sell' })).totals.transfers).toBe(2);
      },
    ),
    alone: {},
  },
];

/** 4.4 `transaction.getMany`. */
export const SECTION_4_LISTING: readonly Row[] = [
  takes('the body is optional', ''),
  takes('an empty object asks for everything; the answer has transactions, totals and a cursor', {}, ({ data }) =>
    expect(Object.keys(data).sort()).toEqual(['next_cursor', 'totals', 'transactions']),
  ),
  ...TYPES,
  ...SEARCH,
  ...LIMITS,
  ...PAGES,
  ...TOTALS,
];
