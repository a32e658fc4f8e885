// npm run screenshots: each screen of the page, light, dark and on a phone, as samples/screens/NAME-HOW.png.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { launchChromium } from '../support/chromium.ts';
import { PROJECT, readyObject, spawnPayrun } from '../support/payrun-process.ts';
import { type Office, openOffice, payFile, uploadFile } from './browser/office.ts';

const HOWS = {
  light: { colorScheme: 'light', size: { width: 940, height: 360 } },
  dark: { colorScheme: 'dark', size: { width: 940, height: 360 } },
  narrow: { colorScheme: 'light', size: { width: 360, height: 360 } },
} as const;
/** Of all of them together. */
const BYTES_MAX = 2 * 1024 * 1024;

/** The totals of the sample that is paid, as its approver types them. */
const TOTALS = ['17425.15 AUD', '10935.77 USD', '10665.54 GBP', '7510.12 EUR', '61500.00 INR', '38450.00 MXN'];

const screens = join(PROJECT, 'samples/screens');
const folder = mkdtempSync(join(tmpdir(), 'payrun-screens-'));
let bytes = 0;

async function shoot({ page }: Office['anna'], name: string): Promise<void> {
  for (const [how, { colorScheme, size }] of Object.entries(HOWS)) {
    const path = join(screens, `${name}-${how}.png`);
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path, animations: 'disabled' });
    bytes += statSync(path).size;
  }
  await page.setViewportSize(HOWS.light.size);
  process.stdout.write(`${name}\n`);
}

function sample(name: string): { name: string; buffer: Buffer } {
  return { name, buffer: readFileSync(join(PROJECT, 'samples', name)) };
}

async function shootAll({ anna, bea, stranger }: Office & { stranger: Office['anna'] }): Promise<void> {
  await stranger.open('/sign-in');
  await shoot(stranger, 'sign-in');
  await anna.open('/');
  await uploadFile(anna, sample('payroll-with-mistakes.csv'));
  await shoot(anna, 'check');
  const upload = new URL(anna.page.url()).pathname;
  await anna.open(`${upload}/map`);
  await shoot(anna, 'map');
  await anna.open(`${upload}/grid`);
  await anna.page.getByRole('grid', { name: 'Rows' }).getByRole('gridcell').first().waitFor();
  await shoot(anna, 'review');
  await anna.open(upload);
  await anna.page.getByRole('link', { name: 'See the sheet' }).click();
  await anna.page.getByRole('region', { name: 'The sheet' }).waitFor();
  await shoot(anna, 'sheet');
  await payFile({ anna, bea }, sample('payroll-with-failures.csv'), TOTALS, {
    planned: () => shoot(anna, 'plan'),
    asked: () => shoot(bea, 'approve'),
  });
  await anna.page.locator('#sent-count:not([value="0"])').waitFor();
  await shoot(anna, 'watch');
  await anna.page.locator('#headline').waitFor({ timeout: 120_000 });
  await shoot(anna, 'result');
  await anna.open('/uploads/new');
  await uploadFile(anna, sample('payroll.csv'));
  await anna.page.getByRole('button', { name: /^Submit \d/ }).click();
  await anna.page.waitForURL('/runs/*');
  await bea.open('/');
  await shoot(bea, 'home');
  await anna.open('/settings/connections/new');
  await shoot(anna, 'settings');
  for (const name of ['runs', 'jobs', 'payees', 'audit', 'people', 'me']) {
    await anna.open(`/${name}`);
    await shoot(anna, name);
  }
}

rmSync(screens, { recursive: true, force: true });
mkdirSync(screens, { recursive: true });
const started = spawnPayrun(['web', '--json', '--port', '0', '--data-dir', join(folder, 'data')], {
  env: { PAYRUN_RATE: '5', PAYRUN_REPORT_DIR: join(folder, 'reports') },
});
const browser = await launchChromium();
try {
  const { url, first_user_url } = (await readyObject(started)) as { url: string; first_user_url: string };
  const visitor = async () => {
    const context = await browser.newContext({ baseURL: url });
    const page = await context.newPage();
    return { context, page, open: async (path: string) => void (await page.goto(path)), mayMeet: () => {} };
  };
  const office = await openOffice({ visitor }, { url, firstUserUrl: first_user_url });
  await shootAll({ ...office, stranger: await visitor() });
} finally {
  await browser.close();
  started.child.kill('SIGINT');
  await started.ended;
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${Math.round(bytes / 1024)} KiB in ${screens}\n`);
if (bytes > BYTES_MAX) throw new Error(`more than ${BYTES_MAX / 1024} KiB: make the windows smaller`);
