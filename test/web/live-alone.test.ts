import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';
import { type Fate, hasSecondLoopback, tcpProxy } from '../support/tcp-proxy.ts';
import { startWeb } from '../support/web-process.ts';
import { type Caller, comeIn, linkOn, plan, until } from './page-process.ts';
import { PASSWORD } from './web-page.ts';

const SHEET =
  'payee_id,name,amount,currency,rail,account_number,national_clearing_code\nE1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000\n';

/** Takes away what the shipped service says of itself: what stands behind this proxy moves money, as far as payrun knows. */
const asReal: Fate = async ({ deliver, socket }) => {
  const text = (await deliver()).toString('latin1');
  socket.write(Buffer.from(text.replace(/^x-payrun-rehearsal: true\r\n/im, ''), 'latin1'));
};

/** A real page, live or not, with Anna, who administers it alone and prepares. */
async function office(isLive: boolean) {
  const folder = temporaryFolder();
  const dataDir = join(folder, 'data');
  const service = await startService({ dataDir: join(folder, 'service') });
  const proxy = await tcpProxy(service.base_url);
  if (isLive) proxy.decide(() => asReal);
  const [, , ...credentials] = service.options;
  const args = ['--base-url', proxy.baseUrl, ...credentials, '--poll-every', '20ms', '--rate', '0'];
  const { url, firstUserUrl, started } = await startWeb({ dataDir, args, cwd: folder });
  onTestFinished(async () => {
    started.child.kill('SIGINT');
    await started.ended;
  });
  const anna = await comeIn(url, firstUserUrl ?? '', { name: 'Anna', role: ['preparer', 'approver'] });
  const invite = async (name: string, role: string) => {
    const { location } = await anna.post('/people', { name, role });
    return { path: location, browser: await comeIn(url, await linkOn(anna, location)) };
  };
  /** Pays it by command, as somebody at the machine would. */
  const pay = (run: string) =>
    payrun(['run', run.split('/')[2] ?? '', '--yes', '--json', '--data-dir', dataDir], { cwd: folder });
  return { anna, invite, pay, paid: async () => (await allTransactions(service)).length };
}

const approve = (one: Caller, run: string) => one.post(`${run}/approve`, { total: '12.50 AUD', password: PASSWORD });

const isFinished = ({ text }: { text: string }) => text.includes('<span class="status completed">Completed</span>');

test.runIf(await hasSecondLoopback())(
  'the only administrator prepares a live payment, opens an invitation of their own, and approves and pays nothing by it',
  async () => {
    const { anna, invite, pay, paid } = await office(true);
    // Anna opens it herself, and is Bea from now on.
    const bea = await invite('Bea', 'approver');
    const before = (await anna.get('/uploads/new')).text;
    expect(before).toContain('Nobody here can approve live payments that you upload.');
    expect(before).toContain('Bea can approve your payments once another administrator has confirmed that under Team');
    const run = await plan(anna, await anna.upload('July.csv', SHEET));
    expect((await anna.get(run)).text).toContain('LIVE');
    const refused = await approve(bea.browser, run);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Anna gave Bea access')]);
    await anna.post(`${run}/start`);
    expect(await pay(run)).toMatchObject({ exit: 6 });

    // Nor as a preparer of her own making, whose payment she approves as herself.
    const pip = await invite('Pip', 'preparer');
    const other = await plan(pip.browser, await pip.browser.upload('August.csv', SHEET.replace('12.50', '13.50')));
    expect((await anna.post(`${other}/approve`, { total: '13.50 AUD', password: PASSWORD })).status).toBe(409);
    expect((await anna.post(`${bea.path}/confirm`)).status).toBe(409);
    expect(await paid()).toBe(0);

    // A second administrator says who Bea is.
    const dora = await invite('Dora', 'administrator');
    expect((await dora.browser.get(bea.path)).text).toContain(
      'Bea and the administrator cannot approve live payments that the other prepares',
    );
    expect((await dora.browser.post(`${bea.path}/confirm`)).status).toBe(303);
    expect((await approve(bea.browser, run)).location).toBe(run);
    await anna.post(`${run}/start`);
    await until(anna, run, isFinished);
    expect(await paid()).toBe(1);
  },
);

test('a rehearsal is approved by somebody whom the only administrator invited, as one sets payrun up', async () => {
  const { anna, invite } = await office(false);
  const { browser, path } = await invite('Bea', 'approver');
  expect((await anna.get('/uploads/new')).text).not.toContain('Nobody here can approve');
  expect((await anna.get(path)).text).not.toContain('To be confirmed');
  const run = await plan(anna, await anna.upload('July.csv', SHEET));
  expect((await approve(browser, run)).location).toBe(run);
  await anna.post(`${run}/start`);
  await until(anna, run, isFinished);
});
