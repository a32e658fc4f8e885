import { expect, test } from 'vitest';
import { accountHash } from '../../src/domain/run/holds.ts';
import { sampleHeader, samplePlan, sampleRow, sampleRows } from '../journal/samples.ts';
import { type Browser, openPage } from './web-page.ts';

async function paidPage() {
  const page = await openPage();
  const rows = [
    sampleRows(3),
    { kind: 'planned' as const, plan: samplePlan(sampleHeader('R-1')) },
    { kind: 'started' as const, by: 'anna@desk-7' },
  ];
  const created = await page.journal.createRun({ header: sampleHeader('R-1'), rows, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error('the run was not created');
  await created.writer.release();
  const anna = await page.first('Anna');
  const list = (await (await page.person('Vera', ['viewer'])).get('/payees')).text;
  const place = /href="(\/payees\/[0-9a-f]{24})"/.exec(list)?.[1] ?? '';
  return { page, anna, place };
}

const heldNames = async (browser: Browser) => {
  const { text } = await browser.get('/payees?only=held');
  return Array.from(text.matchAll(/href="\/payees\/[0-9a-f]{24}">([^<]+)</g), ([, name]) => name);
};

test('preparers and approvers put a recipient on hold with a reason, and approvers alone release one; administrators see none', async () => {
  const { page, anna, place } = await paidPage();
  const [paul, alma, vera] = [
    await page.person('Paul', ['preparer']),
    await page.person('Alma', ['approver']),
    await page.person('Vera 2', ['viewer']),
  ];
  expect(await heldNames(paul)).toEqual([]);
  expect((await vera.get(place)).text).not.toContain('Hold payments');
  expect((await vera.post(`${place}/hold`, { reason: 'x' })).status).toBe(403);
  expect([(await anna.get(place)).status, (await anna.post(`${place}/hold`, { reason: 'x' })).status]).toEqual([
    403, 403,
  ]);
  expect((await paul.post(`${place}/hold`, { reason: '   ' })).status).toBe(422);
  expect((await paul.post(`${place}/hold`, { reason: 'x'.repeat(501) })).status).toBe(422);
  expect(await page.journal.payeeHolds.after(0)).toEqual([]);

  const held = await paul.post(`${place}/hold`, { reason: 'A <b>mail</b> asked for it' });
  expect([held.status, held.location]).toEqual([303, place]);
  const [record] = await page.journal.payeeHolds.after(0);
  expect(record).toMatchObject({ act: 'hold', by: 'Paul', reason: 'A <b>mail</b> asked for it' });
  const { order } = sampleRow(2);
  expect(record?.accounts).toEqual([order && accountHash(order.destination)]);
  // All three are paid on one account.
  expect(await heldNames(vera)).toHaveLength(3);
  const shown = (await vera.get(place)).text;
  expect(shown).toContain('<strong>On hold: do not pay.</strong>');
  expect(shown).toContain('An approver can release it.');
  expect(shown).not.toContain('<b>mail');
  expect((await vera.get('/payees')).text).toContain('<span class="status unresolved">On hold</span>');

  expect((await paul.post(`${place}/release`, { reason: 'it was right' })).status).toBe(403);
  expect(await heldNames(vera)).toHaveLength(3);
  expect((await alma.get(place)).text).toContain('Release hold');
  expect((await alma.post(`${place}/release`, { reason: 'Called them' })).status).toBe(303);
  expect(await heldNames(vera)).toEqual([]);
  expect((await alma.post(`${place}/release`, { reason: 'again' })).status).toBe(409);
  const story = (await vera.get(place)).text;
  expect(story).toContain('Paul put the recipient on hold');
  expect(story).toContain('Alma released the hold: “Called them”');
  const audit = (await alma.get('/audit')).text;
  expect(audit).toContain('put a recipient on hold: do not pay');
  expect(audit).toContain('released a recipient who was on hold');
  expect((await paul.post('/payees/nobody/hold', { reason: 'x' })).status).toBe(404);
});
