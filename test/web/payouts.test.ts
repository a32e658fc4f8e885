import { expect, test } from 'vitest';
import type { Entry } from '../../src/domain/entry.ts';
import { payeeHash } from '../../src/domain/run/holds.ts';
import { endedPayout, sampleHeader, sampleIntent, samplePlan, sampleRow, sampleRows } from '../journal/samples.ts';
import { openPage, type TestPage } from './web-page.ts';

const RUN = 'R-1';
const STARTED: Entry = { kind: 'started', by: 'anna@desk-7' };
const REASON = { code: 'answer_lost' as const, cause: 'reset' };
const DOUBT: Entry = { kind: 'doubt', row: 3, attempt: 1, reason: REASON, answer: 'lost' };
const LOOKED: Entry = { kind: 'looked', row: 3, attempt: 1, found: 0, complete: true };
const PARKED: Entry = {
  kind: 'unresolved',
  row: 3,
  attempt: 1,
  about: 'incomplete',
  reason: { code: 'list_incomplete' },
  transactions: [],
};

/** Three rows, 2 to 4: of the first everything happened, of the second something, of the third nothing. */
async function paying(...more: Entry[]): Promise<TestPage> {
  const page = await openPage();
  const header = sampleHeader(RUN);
  const planned = { kind: 'planned' as const, plan: samplePlan(header) };
  const rows = [sampleRows(3), planned, STARTED, ...endedPayout(2), ...more];
  const created = await page.journal.createRun({ header, rows, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error('the run was not created');
  await created.writer.release();
  return page;
}

/** What can be done, and of what cannot be done why. */
function actsIn(text: string): Record<string, string> {
  const items = text.matchAll(/<li class="split"><span><strong>([^<]+)<\/strong>(.*?)<\/li>/gs);
  return Object.fromEntries(
    Array.from(items, ([, what = '', rest = '']) => {
      const why = /<\/span><br>(.*?)<\/span>/s.exec(rest)?.[1] ?? '';
      return [what, rest.includes('Not possible') ? why.replaceAll(/<[^>]+>/g, '') : 'possible'];
    }),
  );
}

test('a payout shows each attempt with what was answered, and no whole account', async () => {
  const page = await paying(sampleIntent(3), DOUBT, LOOKED, PARKED);
  await page.first('Anna');
  const vera = await page.person('Vera', ['viewer']);
  const paid = (await vera.get(`/runs/${RUN}/payouts/2`)).text;
  const order = ['Attempt 1 was recorded, then sent.', 'The service accepted it as', 'Completed: 12.34 AUD sent'];
  expect(order.map((words) => paid.indexOf(words))).toEqual(order.map((words) => paid.lastIndexOf(words)));
  expect(order.every((words, at) => paid.indexOf(words) > paid.indexOf(order[at - 1] ?? 'What happened'))).toBe(true);
  for (const id of ['tx_2', 'PR0123456789ABC', 'ea_1', 'rc_1']) expect(paid).toContain(`data-copies="${id}"`);
  // The token has these digits too.
  expect(paid).not.toMatch(/(?<!PR0)12345678/);

  const open = (await vera.get(`/runs/${RUN}/payouts/3`)).text;
  expect(open).toContain('Its outcome is unknown. The answer was lost (reset).');
  expect(open).toContain('Looked up by its token: not found in a complete list.');
  expect(open).toContain('It needs a decision.');
  expect((await vera.get(`/runs/${RUN}/payouts/4`)).text).toContain('Nothing was sent for it.');
  expect((await vera.get(`/runs/${RUN}/rows`)).text).toContain(`href="/runs/${RUN}/payouts/3"`);
  for (const row of ['1', '5', 'x', '2.0']) expect((await vera.get(`/runs/${RUN}/payouts/${row}`)).status).toBe(404);
});

test('nothing takes back or sends again what was sent, and what is not possible says why', async () => {
  const page = await paying(sampleIntent(3), DOUBT, LOOKED, PARKED);
  const anna = await page.first('Anna', ['preparer']);
  const vera = await page.person('Vera', ['viewer']);
  const actsOf = async (row: number, by = anna) => actsIn((await by.get(`/runs/${RUN}/payouts/${row}`)).text);
  expect(await actsOf(2)).toEqual({
    'Decide what became of it': 'It is completed: nothing is open.',
    'Pay only this one again': 'It was paid.',
    'Leave it out': 'It was paid.',
    'Hold payments to this recipient': 'possible',
  });
  const sent = 'It was sent and may still be paid. It will not be resent until that is ruled out.';
  expect(await actsOf(3)).toEqual({
    'Decide what became of it': 'possible',
    'Pay only this one again': sent,
    'Leave it out': sent,
    'Hold payments to this recipient': 'possible',
  });
  expect(await actsOf(4)).toMatchObject({
    'Pay only this one again': 'It has not been sent yet.',
    'Leave it out': 'The plan was approved as a whole. Put the recipient on hold: then it is left out.',
  });
  expect(Object.values(await actsOf(3, vera))).not.toContain('possible');
  expect((await vera.post(`/runs/${RUN}/retry`, { row: '3' })).status).toBe(403);
});

test('a recipient is put on hold from a payout, with the reason filled in, and only when the form is sent', async () => {
  const page = await paying(...endedPayout(3, { status: 'FAILED' }));
  const anna = await page.first('Anna', ['preparer']);
  const payee = payeeHash(sampleRow(3).order?.payee ?? ({} as never));
  const { text } = await anna.get(`/runs/${RUN}/payouts/3`);
  const to = /href="(\/payees\/[^"]+)#hold"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(to).toContain(`/payees/${payee}?reason=`);
  const form = (await anna.get(to)).text;
  expect(form).toContain('value="Payroll, row 3: failed"');
  expect(form).not.toContain('On hold: do not pay');
  const long = `<b>"${'x'.repeat(600)}`;
  expect((await anna.get(`/payees/${payee}?reason=${encodeURIComponent(long)}`)).text).not.toMatch(/<b>"|x{501}/);

  await anna.post(`/payees/${payee}/hold`, { reason: 'Bank says closed' });
  const held = actsIn((await anna.get(`/runs/${RUN}/payouts/3`)).text)['Hold payments to this recipient'];
  expect(held).toMatch(/^On hold since .* by Anna: “Bank says closed”$/);
});
