import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'vitest';
import { openDataJournal } from '../../../src/compose/data-dir.ts';
import { browserTest, useChromium, type Visitor } from '../../support/browser.ts';
import { startServiceProcess, temporaryFolder } from '../../support/payrun.ts';
import { admin, allTransactions } from '../../support/service-admin.ts';
import { startWeb } from '../../support/web-process.ts';
import { openOffice, payFile, signInAgain } from './office.ts';

const chromium = useChromium();

const ROWS = 300;
/** A quiet machine needs half a minute of it. */
const PATIENCE_MS = 600_000;
const PAYEES = 12;
/** While pages and the run are killed: so slow that a machine which is busy for two minutes looks before all are sent. */
const SLOW = { PAYRUN_RATE: '5/2s', PAYRUN_POLL_EVERY: '1s' };
const FAST = { PAYRUN_RATE: '0', PAYRUN_POLL_EVERY: '200ms' };
/** So many more are sent while they watch. */
const SEEN = 10;
/** A page that is gone, or that knows nobody any more, as the browser tells of it. */
const GONE = /net::ERR_|htmx:sse:error|htmx:error|status of 401/;

/** Their amounts, 1.00 to 300.00, are all different. */
function payroll(): Buffer {
  const lines = Array.from({ length: ROWS }, (_, at) => {
    const payee = at % PAYEES;
    return `P${payee},Payee ${payee},${at + 1}.00,AUD,AUD_NPP,${10_000_000 + payee},062-000`;
  });
  const header = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
  return Buffer.from(`${header}\n${lines.join('\n')}\n`);
}

browserTest(
  'two people watch 300 payouts while the page is killed, and then the run too: nobody is paid twice',
  async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const service = await startServiceProcess({ dataDir: join(temporaryFolder(), 'service') });
    const profile = join(dataDir, '..', 'profile.yaml');
    writeFileSync(profile, 'request_lifetime: 6s\nlisting_lag: 0s\n');
    const env = {
      PAYRUN_PROFILE: profile,
      PAYRUN_REPORT_DIR: join(dataDir, 'reports'),
    };
    const first = await startWeb({ dataDir, service, env: { ...env, ...SLOW } });
    const office = await openOffice(chromium, first);
    const everybody = [office.anna, office.bea];
    for (const visitor of everybody) visitor.mayMeet(GONE);
    const run = await payFile(office, { name: 'July pay.csv', buffer: payroll() }, ['45150.00 AUD']);
    await office.bea.open(run);
    for (const visitor of everybody) await seeSent(visitor, SEEN);
    service.started.child.kill('SIGSTOP');
    const silence = /^No answer to transaction\.\w+ for \d+ s, given up in \d+ s\.$/;
    for (const { page } of everybody) await page.getByText(silence).waitFor();
    service.started.child.kill('SIGCONT');
    for (const { page } of everybody) await page.getByText(silence).waitFor({ state: 'detached' });

    const again = async (pace: Record<string, string>) => {
      const next = await startWeb({ dataDir, service, env: { ...env, ...pace }, port: new URL(first.url).port });
      // Nobody is left with what was true before the page was killed.
      for (const { page } of everybody) await page.waitForURL(/\/sign-in/);
      await signInAgain(office, first.url);
      for (const visitor of everybody) await visitor.open(run);
      return next;
    };
    first.started.child.kill('SIGKILL');
    await first.started.ended;
    const second = await again(SLOW);
    const sent = await sentOf(office.anna);
    for (const visitor of everybody) await seeSent(visitor, sent + SEEN);

    second.started.child.kill('SIGKILL');
    await second.started.ended;
    const journal = await openDataJournal({ dataDir });
    const holder = await journal.holder(run.split('/').at(-1) ?? '');
    await journal.close();
    assert(holder, 'the run was over before it could be killed');
    process.kill(holder.pid, 'SIGKILL');
    await again(FAST);
    for (const { page } of everybody)
      await page.getByRole('heading', { name: /300 payouts completed/ }).waitFor({ timeout: PATIENCE_MS });

    const amounts = (await allTransactions(service)).map(({ currency_out }) => Number(currency_out.value) / 100);
    expect(amounts.toSorted((one, other) => one - other)).toEqual(Array.from({ length: ROWS }, (_, at) => at + 1));
    expect(await admin(service, 'verify')).toEqual({ findings: [] });
    const truths = everybody.map(({ page }) => page.getByRole('table').first().innerText());
    expect(new Set(await Promise.all(truths)).size).toBe(1);
  },
  PATIENCE_MS,
);

/** Resolves when the page, without being asked for again, shows that so many were sent. */
async function seeSent(visitor: Visitor, least: number): Promise<void> {
  await expect.poll(() => sentOf(visitor), { interval: 100 }).toBeGreaterThanOrEqual(least);
}

async function sentOf({ page }: Visitor): Promise<number> {
  return Number(await page.locator('#sent-count').getAttribute('value'));
}
