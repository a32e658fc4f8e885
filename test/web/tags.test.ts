import { expect, test } from 'vitest';
import { sampleHeader, samplePlan, sampleRow } from '../journal/samples.ts';
import { openPage } from './web-page.ts';

async function paidPage() {
  const page = await openPage();
  const header = { ...sampleHeader('R-1'), entity: 'other' };
  const rows = ['Ada', 'Bob'].map((name, at) => {
    const sample = sampleRow(at + 2);
    if (sample.order === null) throw new Error('the sample changed');
    return { ...sample, order: { ...sample.order, payee: { ...sample.order.payee, name } } };
  });
  const entries = [
    { kind: 'rows' as const, rows },
    { kind: 'planned' as const, plan: samplePlan(header) },
    { kind: 'started' as const, by: 'anna@desk-7' },
  ];
  const created = await page.journal.createRun({ header, rows: entries, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error('the run was not created');
  await created.writer.release();
  const anna = await page.first('Anna');
  const paul = await page.person('Paul', ['preparer']);
  const place = /href="(\/payees\/[0-9a-f]{24})">Ada</.exec((await paul.get('/payees')).text)?.[1] ?? '';
  return { page, anna, paul, place };
}

test('preparers and approvers tag recipients whom they see, by whom lists, reports and files are narrowed', async () => {
  const { page, anna, paul, place } = await paidPage();
  const [alma, vera] = [await page.person('Alma', ['approver']), await page.person('Vera', ['viewer'])];
  expect((await paul.get('/payees')).text).not.toContain('name="tag"');
  expect((await vera.post(`${place}/tags`, { tag: 'x' })).status).toBe(403);
  expect((await anna.post(`${place}/tags`, { tag: 'x' })).status).toBe(403);
  expect((await vera.get(place)).text).not.toContain('id="tags"');
  const added = await paul.post(`${place}/tags`, { tag: '  Contractor\n <b>UK ' });
  expect([added.status, added.location]).toEqual([303, `${place}#tags`]);
  expect((await alma.post(`${place}/tags`, { tag: 'contractor <B>uk' })).status).toBe(303);
  for (const tag of ['   ', 'x'.repeat(33)]) expect((await paul.post(`${place}/tags`, { tag })).status).toBe(422);
  expect((await paul.post('/payees/0123456789abcdef01234567/tags', { tag: 'x' })).status).toBe(404);

  const shown = (await vera.get(place)).text;
  expect(shown).toContain('<a class="tag" href="/payees?tag=Contractor%20%3Cb%3EUK">Contractor &lt;b&gt;UK</a>');
  expect(shown).not.toMatch(/<b>UK|Remove the tag/);
  const names = async (path: string) =>
    Array.from((await vera.get(path)).text.matchAll(/<th scope="row"><a[^>]*>([^<]+)</g), ([, name]) => name);
  const tag = encodeURIComponent('CONTRACTOR <b>uk');
  expect([
    await names(`/payees?tag=${tag}`),
    await names(`/reports?tag=${tag}`),
    await names('/payees?tag=other'),
  ]).toEqual([['Ada'], ['Ada'], []]);
  for (const path of [`/payees.csv?tag=${tag}`, `/reports/payouts.csv?tag=${tag}`]) {
    const [head = '', ...lines] = (await vera.get(path)).text.trim().split('\r\n');
    expect(head.split(',').at(-1)).toBe('tags');
    expect(lines.map((line) => line.split(',').at(-1))).toEqual(['Contractor <b>UK']);
  }
  // Nothing is held or changed by it.
  expect(await page.journal.payeeHolds.after(0)).toEqual([]);

  for (let at = 2; at <= 10; at++) expect((await alma.post(`${place}/tags`, { tag: `t${at}` })).status).toBe(303);
  const full = await alma.post(`${place}/tags`, { tag: 'eleven' });
  expect([full.status, full.text]).toEqual([422, expect.stringContaining('This recipient has 10 tags')]);
  expect((await alma.post(`${place}/tags/remove`, { tag: 'contractor <b>UK' })).status).toBe(303);
  expect(await names(`/payees?tag=${tag}`)).toEqual([]);
  const audit = (await anna.get('/audit')).text;
  expect(audit).toContain('removed a tag from a recipient');
  expect(audit.match(/tagged a recipient/g)).toHaveLength(10);
});

test('who does not see a recipient neither tags them nor learns their tags', async () => {
  const { page, paul, place } = await paidPage();
  await paul.post(`${place}/tags`, { tag: 'Dismissed' });
  const eve = await page.person('Eve', ['preparer']);
  const { id } = (await page.web.people.byName('Eve')) ?? { id: '' };
  await page.web.people.setGrants(id, [{ role: 'preparer', entity: 'main', job: null, details: true }]);
  for (const path of [
    '/payees',
    `/payees?payee=${place.slice(-24)}`,
    '/reports',
    '/payees?tag=Dismissed',
    '/payees.csv',
  ]) {
    const { text } = await eve.get(path);
    expect(text, path).not.toMatch(/Ada|<option value="Dismissed"/);
  }
  expect((await eve.get(place)).status).toBe(404);
  expect((await eve.post(`${place}/tags`, { tag: 'x' })).status).toBe(404);
  expect((await eve.post(`${place}/tags/remove`, { tag: 'Dismissed' })).status).toBe(404);
  expect((await page.web.tags.all()).size).toBe(1);
});
