import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { authenticator } from './authenticator.ts';
import { realTasks } from './real-tasks.ts';
import { type Browser, openPage, PASSWORD } from './web-page.ts';

const HOUR_MS = 3_600_000;

const SHEET =
  'payee_id,name,amount,currency,rail,account_number,national_clearing_code\nE1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000\n';
const STOLEN = 'a password of the attacker';
const APPROVAL = { total: '12.50 AUD', password: PASSWORD };

/** A page over a service of its own, with Anna, who administers and prepares. Commands and tasks are real. */
async function office() {
  const folder = temporaryFolder();
  let dataDir = '';
  const page = await openPage({ isReal: true, tasks: realTasks(() => dataDir, folder) });
  dataDir = page.dataDir;
  await startService({ dataDir });
  const anna = await page.first('Anna', ['preparer', 'approver']);
  const paths = new Map<string, string>();
  const enter = async (by: Browser, name: string, password: string): Promise<Browser> => {
    const token = /\/welcome#([\w-]+)/.exec((await by.get(id(name))).text)?.[1] ?? '';
    const browser = page.browser();
    expect((await browser.post('/welcome/enter', { token, password, again: password })).status).toBe(303);
    return browser;
  };
  const invite = async (name: string, role: readonly string[], by = anna): Promise<Browser> => {
    paths.set(name, (await by.post('/people', { name, role })).location ?? '');
    return enter(by, name, PASSWORD);
  };
  /** An administrator makes somebody a new link and opens it: from now on they are that person. */
  const takeOver = async (by: Browser, name: string): Promise<Browser> => {
    await by.post(`${id(name)}/link`);
    return enter(by, name, STOLEN);
  };
  /** The page of the plan of a file that they upload. */
  const planned = async (by: Browser): Promise<string> => {
    const form = new FormData();
    form.set('file', new File([SHEET], 'July.csv'));
    const { location } = await by.send('/uploads', form);
    await by.post(`${location}/plan`);
    const upload = await page.web.uploads.get(location?.split('/')[2] ?? '');
    if (upload === null) throw new Error('no upload');
    await page.web.plannings.ended(upload);
    const reply = await by.get(`${location}/plan`);
    if (reply.location === null) throw new Error(reply.text);
    return reply.location;
  };
  /** Pays it by command, as somebody at the machine would. */
  const pay = async (run: string) => {
    const args = ['run', run.split('/')[2] ?? '', '--yes', '--json', '--data-dir', dataDir];
    const { exit, stdout } = await payrun(args, { cwd: folder });
    return { exit, said: stdout };
  };
  const id = (name: string) => paths.get(name) ?? '';
  return { page, anna, invite, takeOver, planned, pay, id };
}

const approve = (one: Browser, run: string, password = PASSWORD) =>
  one.post(`${run}/approve`, { ...APPROVAL, password });

test('an administrator who resets an approver and plans as themselves approves and pays nothing', async () => {
  const { page, anna, invite, takeOver, planned, pay, id } = await office();
  await invite('Bea', ['approver']);
  const bea = await takeOver(anna, 'Bea');
  const run = await planned(anna);
  const refused = await approve(bea, run, STOLEN);
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Anna reset how Bea signs in')]);
  expect((await bea.post(`${run}/approve/passkey`, { ...APPROVAL, password: STOLEN })).status).toBe(409);
  for (const path of [run, `${run}/approve`]) {
    const { text } = await bea.get(path);
    expect(text).toMatch(/class="notice wrong"[^>]*>(?:(?!<\/div>)[\s\S])*Anna reset how Bea signs in/);
  }
  expect((await anna.get('/people')).text).toContain('approvals on hold');
  expect((await anna.get(id('Bea'))).text).toMatch(/class="notice wrong[^>]*>[\s\S]*Anna reset how Bea signs in/);
  // Nor with the key itself, at the machine.
  const { keyFile = null } = (await page.web.people.byName('Bea')) ?? {};
  const { passphrase = '' } = (await page.web.sessions.find(bea.cookie.split('=')[1] ?? '', false)) ?? {};
  const passphraseFile = join(page.dataDir, 'passphrase');
  writeFileSync(passphraseFile, passphrase, { mode: 0o600 });
  const key = ['--key', page.web.store.files.path('keys', keyFile ?? ''), '--passphrase-file', passphraseFile];
  const byCommand = ['approve', run.split('/')[2] ?? '', ...key, '--total', '12.50 AUD', '--json'];
  const signed = await payrun([...byCommand, '--data-dir', page.dataDir]);
  expect([signed.exit, signed.stdout]).toEqual([6, expect.stringContaining('an administrator reset how')]);
  await anna.post(`${run}/start`);
  expect((await anna.get(run)).text).toContain('Awaiting approval by');
  expect(await pay(run)).toMatchObject({ exit: 6 });

  // Neither the one who did it, nor the one who is in the account, says that it is right.
  await anna.post(`${id('Bea')}/roles`, { role: ['approver', 'administrator'] });
  for (const one of [anna, bea]) expect((await one.post(`${id('Bea')}/confirm`)).status).toBe(409);
  expect((await approve(bea, run, STOLEN)).status).toBe(409);
});

test('approvals that a person gave before an administrator took their passkeys do not count until a second one says so', async () => {
  const { page, anna, invite, planned, pay, id } = await office();
  const dora = await invite('Dora', ['administrator']);
  const bea = await invite('Bea', ['approver'], dora);
  const device = authenticator(page.origin);
  const asked = await bea.post('/me/passkeys/options', { current: PASSWORD });
  await bea.post('/me/passkeys', { label: 'Key', credential: device.create(JSON.parse(asked.text)) });
  const run = await planned(anna);
  const credential = device.get(JSON.parse((await bea.post(`${run}/approve/passkey`, APPROVAL)).text));
  expect((await bea.post(`${run}/approve`, { ...APPROVAL, credential })).location).toBe(run);
  expect((await anna.get(run)).text).toContain('Start paying');

  await anna.post(`${id('Bea')}/passkeys`);
  const { text } = await anna.get(run);
  expect(text).not.toContain('Start paying');
  expect(text).toContain('Anna removed the passkeys of Bea');
  const refused = await pay(run);
  expect(refused).toMatchObject({ exit: 6 });
  expect(refused.said).toContain('an administrator reset how this approver signs in');

  // Anna may confirm that Dora invited Bea, and nothing that she did herself.
  await anna.post(`${id('Bea')}/confirm`);
  expect((await anna.post(`${id('Bea')}/confirm`)).status).toBe(409);
  expect(await pay(run)).toMatchObject({ exit: 6 });
  expect((await dora.post(`${id('Bea')}/confirm`)).status).toBe(303);
  expect((await dora.get('/audit')).text).toContain('confirmed a reset');
  expect((await anna.get(run)).text).toContain('Start paying');
  expect(await pay(run)).toMatchObject({ exit: 0 });
});

test('an approval does not count in a run once its approver has another key, is locked out or approves no more', async () => {
  const { anna, invite, takeOver, planned, pay, id } = await office();
  const bea = await invite('Bea', ['approver']);
  const run = await planned(anna);
  expect((await approve(bea, run)).location).toBe(run);
  await anna.post(`${id('Bea')}/lock`);
  expect(await pay(run)).toMatchObject({ exit: 6, said: expect.stringContaining('is deactivated on the page') });
  await anna.post(`${id('Bea')}/unlock`);
  await anna.post(`${id('Bea')}/roles`, { role: 'viewer' });
  expect(await pay(run)).toMatchObject({ exit: 6, said: expect.stringContaining('no longer has the approver role') });
  await anna.post(`${id('Bea')}/roles`, { role: 'approver' });
  await takeOver(anna, 'Bea');
  expect(await pay(run)).toMatchObject({ exit: 6, said: expect.stringContaining('has a different key') });
});

test.each<
  [string, (given: Awaited<ReturnType<typeof office>>) => Promise<{ run: string; by: Browser; password?: string }>]
>([
  [
    'who resets the preparer approves what that account plans',
    async ({ anna, invite, takeOver, planned }) => {
      await invite('Pip', ['preparer']);
      await invite('Bea', ['approver']);
      return { run: await planned(await takeOver(anna, 'Pip')), by: anna };
    },
  ],
  [
    'who resets a second administrator lets that one reset the approver',
    async ({ anna, invite, takeOver, planned, id }) => {
      await invite('Dora', ['administrator']);
      const bea = await invite('Bea', ['approver']);
      const dora = await takeOver(anna, 'Dora');
      const again = await takeOver(dora, 'Bea');
      // In the name of the second administrator nothing is lifted either.
      expect((await dora.post(`${id('Bea')}/confirm`)).status).toBe(409);
      expect((await dora.post(`${id('Dora')}/confirm`)).status).toBe(409);
      expect((await bea.get('/')).location).toContain('/sign-in');
      return { run: await planned(anna), by: again, password: STOLEN };
    },
  ],
  [
    'where there is a second administrator, who invites an approver approves by that account',
    async ({ anna, invite, planned }) => {
      await invite('Dora', ['administrator']);
      const zed = await invite('Zed', ['approver']);
      return { run: await planned(anna), by: zed };
    },
  ],
  [
    'where there is a second administrator, who invites a preparer approves what that account plans',
    async ({ anna, invite, planned }) => {
      await invite('Dora', ['administrator']);
      return { run: await planned(await invite('Pip', ['preparer'])), by: anna };
    },
  ],
  [
    'where there is a second administrator, who invites a third one lifts a reset by that account',
    async ({ anna, invite, takeOver, planned, id }) => {
      await invite('Dora', ['administrator']);
      await invite('Bea', ['approver']);
      const bea = await takeOver(anna, 'Bea');
      const zed = await invite('Zed', ['administrator']);
      expect((await zed.post(`${id('Bea')}/confirm`)).status).toBe(409);
      return { run: await planned(anna), by: bea, password: STOLEN };
    },
  ],
  [
    'who locks a person out, lets them in again and resets them approves by that account',
    async ({ anna, invite, takeOver, planned, id }) => {
      await invite('Bea', ['approver']);
      await anna.post(`${id('Bea')}/lock`);
      await anna.post(`${id('Bea')}/unlock`);
      return {
        run: await planned(anna).then(async () => planned(anna)),
        by: await takeOver(anna, 'Bea'),
        password: STOLEN,
      };
    },
  ],
  [
    'who resets a preparer and invites an approver pays by these two',
    async ({ anna, invite, takeOver, planned }) => {
      await invite('Pip', ['preparer']);
      await invite('Dora', ['administrator']);
      const zed = await invite('Zed', ['approver']);
      return { run: await planned(await takeOver(anna, 'Pip')), by: zed };
    },
  ],
  [
    'who sends a second administrator away, and gives a viewer the role, approves by that account',
    async ({ anna, invite, planned, id }) => {
      await invite('Dora', ['administrator']);
      const vera = await invite('Vera', ['viewer']);
      await anna.post(`${id('Dora')}/lock`);
      await anna.post(`${id('Vera')}/roles`, { role: ['approver'] });
      return { run: await planned(anna), by: vera };
    },
  ],
  [
    'with no other administrator, who resets the approver lifts it by an administrator that they invite then',
    async ({ anna, invite, takeOver, planned, id }) => {
      await invite('Bea', ['approver']);
      const bea = await takeOver(anna, 'Bea');
      const zed = await invite('Zed', ['administrator']);
      expect((await zed.post(`${id('Bea')}/confirm`)).status).toBe(409);
      return { run: await planned(anna), by: bea, password: STOLEN };
    },
  ],
])('alone, %s: refused', async (_, attack) => {
  const given = await office();
  const { run, by, password = PASSWORD } = await attack(given);
  expect((await approve(by, run, password)).status).toBe(409);
  expect(await given.pay(run)).toMatchObject({ exit: 6 });
});

test('two administrators who reset each other, or in turn, lift what the other did, and nothing of their own', async () => {
  const { page, anna, invite, takeOver, id } = await office();
  const dora = await invite('Dora', ['administrator']);
  await invite('Bea', ['approver'], dora);
  await takeOver(anna, 'Bea');
  await takeOver(dora, 'Bea');
  // Each lifts what the other did.
  expect((await anna.post(`${id('Bea')}/confirm`)).status).toBe(303);
  expect((await anna.get(id('Bea'))).text).toContain('Anna reset how Bea signs in');
  expect((await anna.get(id('Bea'))).text).not.toContain('Dora reset how Bea signs in');
  expect((await anna.post(`${id('Bea')}/confirm`)).status).toBe(409);
  expect((await dora.post(`${id('Bea')}/confirm`)).status).toBe(303);
  expect((await anna.get('/people')).text).not.toContain('approvals on hold');
  expect((await page.browser().post(`${id('Bea')}/confirm`)).status).toBe(401);
});

test('who could be approved by nobody reads so before the upload, and a reset that nobody confirmed stands in red on each plan', async () => {
  const { page, anna, invite, takeOver, planned } = await office();
  expect((await anna.get('/')).text).toMatch(
    /Nobody here can approve what you upload[\s\S]+can invite an approver under/,
  );
  const pip = await invite('Pip', ['preparer']);
  await invite('Bea', ['approver']);
  for (const one of [anna, pip]) expect((await one.get('/')).text).not.toContain('Nobody here can approve');
  const bea = await takeOver(anna, 'Bea');
  const home = (await anna.get('/')).text;
  expect(home).toMatch(
    /Nobody here can approve[\s\S]+Anna reset how Bea signs in[\s\S]+another administrator has confirmed/,
  );
  const run = await planned(pip);
  expect((await approve(bea, run, STOLEN)).status).toBe(409);
  await page.web.store.run('UPDATE access_change SET at = at - ?', 25 * HOUR_MS);
  expect((await approve(bea, run, STOLEN)).location).toBe(run);
  for (const path of [run, `${run}/audit`])
    expect((await pip.get(path)).text).toMatch(
      /notice wrong"><p>Anna reset how Bea[^<]+No other administrator has confirmed it/,
    );
});

test('for plans of others it lasts 24 hours, and for those of whoever did it until it is confirmed', async () => {
  const page = await openPage();
  const anna = await page.first('Anna');
  await page.person('Ben', ['preparer']);
  await page.person('Bea', ['approver']);
  const of = async (name: string) => await page.web.people.byName(name);
  const held = async () =>
    await page.web.access.onHold((await of('Bea'))?.publicKey ?? '', {
      preparer: 'Ben',
      preparer_key: (await of('Ben'))?.publicKey ?? '',
    });
  expect(await held()).toBeNull();
  await anna.post(`/people/${(await of('Bea'))?.id}/link`);
  const token = /\/welcome#([\w-]+)/.exec((await anna.get(`/people/${(await of('Bea'))?.id}`)).text)?.[1] ?? '';
  // The link alone takes nothing away: it may never be opened.
  expect(await held()).toBeNull();
  await page.browser().post('/welcome/enter', { token, password: PASSWORD, again: PASSWORD });
  expect(await held()).not.toBeNull();
  await page.clock.pass(24 * HOUR_MS - 60_000);
  expect(await held()).not.toBeNull();
  await page.clock.pass(120_000);
  expect(await held()).toBeNull();
  // By the one who did it: until it is lifted.
  const byAnna = { preparer: 'Anna', preparer_key: (await of('Anna'))?.publicKey ?? '' };
  await page.clock.pass(400 * 24 * HOUR_MS);
  expect(await page.web.access.onHold((await of('Bea'))?.publicKey ?? '', byAnna)).not.toBeNull();
  // Nor by somebody they let in since.
  await anna.post('/sign-in', { name: 'Anna', password: PASSWORD });
  await anna.post('/people', { name: 'Pip', role: 'preparer' });
  const pip = await of('Pip');
  const link = /\/welcome#([\w-]+)/.exec((await anna.get(`/people/${pip?.id}`)).text)?.[1] ?? '';
  await page.browser().post('/welcome/enter', { token: link, password: PASSWORD, again: PASSWORD });
  const byPip = { preparer: 'Pip', preparer_key: (await of('Pip'))?.publicKey ?? '' };
  expect(await page.web.access.onHold((await of('Bea'))?.publicKey ?? '', byPip)).not.toBeNull();
});
