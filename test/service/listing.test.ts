import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldText } from '../../src/service/listing.ts';
import { addPayee, gbpPayout, settled, startTestService, type TestService } from './harness.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ settleMs: 0 });
});
afterAll(() => service.close());

type Listed = { id: string; created_at: string; metadata: { description?: string } };
type Page = { transactions: Listed[]; totals: { transfers: number; fiatAmount: number }; next_cursor: string | null };

async function walk(request: object, between: () => Promise<unknown> = async () => {}): Promise<Listed[]> {
  const seen: Listed[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page: Page = await service.data('transaction.getMany', { ...request, ...(cursor ? { cursor } : {}) });
    seen.push(...page.transactions);
    if (page.next_cursor === null) return seen;
    cursor = page.next_cursor;
    await between();
  }
}

describe('transaction.getMany in pages', () => {
  it('walks the whole set in order, each once, whatever the limit and while new ones arrive', async () => {
    const { recipientId, accountId } = await addPayee(service);
    const pay = () => service.data('transaction.transfer', gbpPayout(accountId, 100));
    const ids: string[] = [];
    for (let made = 0; made < 45; made++) ids.unshift(await pay());
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.boolean(), async (limit, grows) => {
        const before = [...ids];
        const seen = await walk({ limit, recipient_id: recipientId }, async () => {
          if (grows) ids.unshift(await pay());
        });
        expect(seen.map(({ id }) => id)).toEqual(before);
      }),
      { numRuns: 25 },
    );
    const all = await walk({ limit: 500 });
    const order = all.map(({ created_at, id }) => `${created_at} ${id}`);
    expect(order.map((text) => text.slice(0, 24))).toEqual(
      order
        .map((text) => text.slice(0, 24))
        .sort()
        .reverse(),
    );
  });

  it('reads its own writes', async () => {
    const { accountId } = await addPayee(service);
    await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        const description = `own write ${number}`;
        const id = await service.data('transaction.transfer', gbpPayout(accountId, 100, { metadata: { description } }));
        const { transactions } = await service.data('transaction.getMany', { search: id });
        expect(transactions).toMatchObject([{ id, metadata: { description } }]);
      }),
    );
  });
});

describe('search', () => {
  const words = fc.constantFrom(
    'Ana',
    'ANA',
    'ban',
    'ÉCLAIR',
    'éclair',
    'straße',
    'STRASSE',
    'ﬁn',
    'Σίσυφος',
    'x_y',
    '100%',
    'a',
    '１２',
    '12',
  );
  const phrases = fc.array(words, { minLength: 1, maxLength: 3 }).map((found) => found.join(' '));

  it('finds what a plain reading of the rule finds', async () => {
    const { recipientId, accountId } = await addPayee(service, 'Ümit Ağaoğlu');
    await fc.assert(
      fc.asyncProperty(phrases, fc.array(phrases, { minLength: 1, maxLength: 4 }), async (search, descriptions) => {
        for (const description of descriptions)
          await service.data('transaction.transfer', gbpPayout(accountId, 100, { metadata: { description } }));
        const all = await walk({ limit: 500, recipient_id: recipientId });
        const found = await walk({ limit: 500, recipient_id: recipientId, search });
        const expected = [];
        for (const { id } of all) if (await matches(id, search)) expected.push(id);
        expect(found.map(({ id }) => id)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  const known = new Map<string, string[]>();
  /** Every blank-separated word is a substring of one of the six fields, NFKC and case-folded. */
  async function matches(id: string, search: string): Promise<boolean> {
    let fields = known.get(id);
    if (!fields) {
      const found = await service.data('transaction.get', { id });
      fields = [
        found.id,
        found.metadata.description,
        found.metadata.required_fields.reference?.value,
        found.metadata.payout_reference,
        found.external_reference,
        found.external_account_metadata.account_name,
      ].map((field) => foldText(field ?? ''));
      known.set(id, fields);
    }
    const folded = foldText(search).split(/\s+/u);
    return folded.every((word) => (fields ?? []).some((field) => field.includes(word)));
  }

  it.each([
    ['STRASSE', 'straße'],
    ['STRASSE', 'STRAẞE'],
    ['éclair', 'E\u0301CLAIR'],
    ['ﬁn', 'FINAL'],
    ['12', '１２'],
    ['ΣΊΣΥΦΟΣ', 'Σίσυφος'],
  ])('%s finds %s', async (search, description) => {
    const { accountId } = await addPayee(service);
    const id = await service.data('transaction.transfer', gbpPayout(accountId, 100, { metadata: { description } }));
    const { transactions } = await service.data('transaction.getMany', { search });
    expect(transactions.map((found: Listed) => found.id)).toContain(id);
  });

  it('takes % and _ for themselves, and no word over the border of two fields', async () => {
    const { accountId } = await addPayee(service, 'Border');
    const metadata = { description: 'ends here' };
    const id = await service.data('transaction.transfer', gbpPayout(accountId, 100, { metadata, reference: 'begins' }));
    const find = async (search: string) =>
      (await service.data('transaction.getMany', { search })).transactions.map((found: Listed) => found.id);
    expect(await find(`${id} e%s`)).toEqual([]);
    expect(await find(`${id} here begins`)).toEqual([id]);
    expect(await find(`${id} herebegins`)).toEqual([]);
    expect(await find(`${id} border`)).toEqual([id]);
    expect(await find(`   ${id}   `)).toEqual([id]);
    const everything = await service.data('transaction.getMany', { search: ' \u3000 ', limit: 1 });
    expect(everything.totals).toEqual((await service.data('transaction.getMany', { limit: 1 })).totals);
  });

  it('takes a thousand characters of words', async () => {
    const search = Array.from({ length: 500 }, (_, place) => String.fromCodePoint(0x4e00 + place)).join(' ');
    expect((await service.data('transaction.getMany', { search })).transactions).toEqual([]);
  });
});

describe('totals', () => {
  it('are rounded once, over the sum, in every listing', async () => {
    const own = await startTestService({ settleMs: 0 });
    const { recipientId, accountId } = await addPayee(own);
    // 43.56 cents each.
    for (let made = 0; made < 25; made++)
      await settled(own, await own.data('transaction.transfer', gbpPayout(accountId, 33)));
    const { recipients } = await own.data('account.recipient.getMany', {});
    const sums = [recipients.find(({ id }: { id: string }) => id === recipientId).totals];
    for (const request of [{}, { recipient_id: recipientId }, { recipient_id: recipientId, limit: 1 }])
      sums.push((await own.data('transaction.getMany', request)).totals);
    expect(sums).toEqual(Array(4).fill({ transfers: 25, fiatAmount: 10.89 }));
    await own.close();
  });

  it('are over the whole filtered set, whatever the page, in US dollars, FAILED left out', async () => {
    const own = await startTestService({ settleMs: 0 });
    const { recipientId, accountId } = await addPayee(own);
    const failing = await addPayee(own, 'REHEARSE_KYB');
    for (const pence of [10_000, 20_000, 33])
      await own.data(
        'transaction.transfer',
        gbpPayout(accountId, pence, { metadata: { description: `pays ${pence}` } }),
      );
    await settled(own, await own.data('transaction.transfer', gbpPayout(failing.accountId, 50_000)));
    const totals = async (request: object) => (await own.data('transaction.getMany', { limit: 1, ...request })).totals;
    // 33 pence are 43.56 cents: rounded once, over the sum.
    const dollars = (132_00 + 264_00 + 44) / 100;
    expect(await totals({})).toEqual({ transfers: 3, fiatAmount: dollars });
    expect(await totals({ type: 'withdraw' })).toEqual({ transfers: 3, fiatAmount: dollars });
    expect(await totals({ type: 'deposit' })).toEqual({ transfers: 0, fiatAmount: 0 });
    expect(await totals({ recipient_id: recipientId })).toEqual({ transfers: 3, fiatAmount: dollars });
    expect(await totals({ recipient_id: failing.recipientId })).toEqual({ transfers: 0, fiatAmount: 0 });
    expect(await totals({ search: 'pays 20000' })).toEqual({ transfers: 1, fiatAmount: 264 });
    const all = { transfers: 3, fiatAmount: dollars };
    const first: Page = await own.data('transaction.getMany', { search: 'pays', limit: 2 });
    const last: Page = await own.data('transaction.getMany', { search: 'pays', limit: 2, cursor: first.next_cursor });
    expect([first.transactions.length, last.transactions.length]).toEqual([2, 1]);
    expect([first.totals, last.totals]).toEqual([all, all]);
    await own.close();
  });
});

describe('account.recipient.getMany in pages', () => {
  it('walks every recipient once, newest first', async () => {
    const own = await startTestService();
    const ids: string[] = [];
    for (let made = 0; made < 23; made++)
      ids.unshift((await own.data('account.recipient.create', { metadata: { name: `Payee ${made}` } })).id);
    for (const limit of [1, 7, 23, 500]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: { recipients: { id: string }[]; next_cursor: string | null } = await own.data(
          'account.recipient.getMany',
          { limit, ...(cursor ? { cursor } : {}) },
        );
        expect(page.recipients.length).toBeLessThanOrEqual(limit);
        seen.push(...page.recipients.map(({ id }) => id));
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(seen).toEqual(ids);
    }
    await own.close();
  });
});
