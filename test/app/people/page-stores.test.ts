import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EDITS_MAX, EditLog } from '../../../src/app/edits/edit-log.ts';
import type { Change } from '../../../src/app/edits/edits.ts';
import { peopleIn, withdrawnBy } from '../../../src/app/people/access.ts';
import { ApiAnswers } from '../../../src/app/people/api-answers.ts';
import { Connections } from '../../../src/app/people/connections.ts';
import { Entities } from '../../../src/app/people/entities.ts';
import { FileLayouts } from '../../../src/app/people/file-layouts.ts';
import { everywhere } from '../../../src/app/people/grants.ts';
import { PayeeTags } from '../../../src/app/people/payee-tags.ts';
import { uploadFolder } from '../../../src/app/people/store/page-files.ts';
import { WebhookEndpoints } from '../../../src/app/people/webhook-endpoints.ts';
import type { RunCreated } from '../../../src/domain/entry.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { machineClock } from '../../../src/platform/machine.ts';
import { Choices } from '../../../src/web/notices/choices.ts';
import { Inbox } from '../../../src/web/notices/inbox.ts';
import { Outbox } from '../../../src/web/notices/outbox.ts';
import { SharedWork } from '../../../src/web/shared-work.ts';
import { Attempts } from '../../../src/web/sign-in/attempts.ts';
import { Devices } from '../../../src/web/sign-in/devices.ts';
import { Passkeys } from '../../../src/web/sign-in/passkey-store.ts';
import { SecondFactors } from '../../../src/web/sign-in/second-factor-store.ts';
import { Sessions } from '../../../src/web/sign-in/sessions.ts';
import { stepAt, totpCode } from '../../../src/web/sign-in/totp.ts';
import { bothStores, type Host } from './page-stores.ts';

const SECRETS = { password: '$argon2id$x', keySalt: 'salt', keyFile: 'a.age', publicKey: 'KEY' };
const many = <Result>(times: number, work: (at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: times }, (_, at) => work(at)));

describe.each(bothStores())('in %s', (_name, open) => {
  test('of a transaction that fails nothing is kept, also not of one inside it', async () => {
    const { store } = (await open()).one;
    const add = (id: string) => store.insert('person', { id, name: id, name_key: id, created_at: 1 });
    const failing = store.transaction(async () => {
      await add('a');
      await store.transaction(() => add('b'));
      throw new Error('in the middle');
    });
    await expect(failing).rejects.toThrow('in the middle');
    await store.transaction(() => add('c'));
    expect((await store.all('SELECT id FROM person')).map(({ id }) => id)).toEqual(['c']);
  });

  test('transactions of all hosts come one after another, and nobody reads what is not certain', async () => {
    const { one, other } = await open();
    await one.store.insert('attempt', { key: 'count', failures: 0, at: 1 });
    const read = async ({ store }: Host) =>
      (await store.get<{ failures: number }>("SELECT failures FROM attempt WHERE key = 'count'"))?.failures ?? -1;
    const adding = many(20, (at) => {
      const host = at % 2 === 0 ? one : other;
      return host.store.transaction(async () => {
        const before = await read(host);
        await host.store.run("UPDATE attempt SET failures = ? WHERE key = 'count'", before + 1000);
        await machineClock.sleep(1);
        await host.store.run("UPDATE attempt SET failures = ? WHERE key = 'count'", before + 1);
      });
    });
    const seen = await many(20, () => read(other));
    await adding;
    expect(Math.max(...seen)).toBeLessThanOrEqual(20);
    expect(await read(one)).toBe(20);
  });

  test('tokens, answers and webhooks are the same for all hosts', async () => {
    const { one, other } = await open();
    const { people, tokens } = peopleIn(one);
    const elsewhere = peopleIn(other).tokens;
    const personId = (await people.add('Ben', ['preparer'])).id;
    const token = tokens.newToken();
    const key = { keyFile: 'a.age', publicKey: 'KEY' };
    const made = await tokens.add(token, { personId, name: 'ERP', scopes: ['runs:start'], expiresAt: 5, ...key });
    expect(await elsewhere.byText(token)).toEqual(made);
    expect(made).toMatchObject({ name: 'ERP', scopes: ['runs:start'], expiresAt: 5, usedAt: null, revokedAt: null });
    expect(await elsewhere.byPublicKey('KEY')).toMatchObject({ id: made.id, personId });
    await elsewhere.noteUsed(made);
    expect((await tokens.list(personId))[0]?.usedAt).toEqual(expect.any(Number));
    expect([await elsewhere.revoke(made.id), await tokens.revoke(made.id)]).toEqual([true, false]);

    const answers = [new ApiAnswers(one), new ApiAnswers(other)] as const;
    const begun = await many(4, (at) => answers[at % 2 === 0 ? 0 : 1].begin(made.id, 'k', `request ${at}`));
    expect(begun.filter((known) => known === null)).toHaveLength(1);
    await answers[0].keep(made.id, 'k', { status: 201, body: '{}' });
    expect((await answers[1].begin(made.id, 'k', 'x'))?.answer).toEqual({ status: 201, body: '{}' });

    const [endpoints, others] = [new WebhookEndpoints(one), new WebhookEndpoints(other)];
    const endpoint = await endpoints.add(personId, 'https://erp.test/', ['before']);
    expect(await others.list()).toEqual([endpoint]);
    await endpoints.note(endpoint.id, 'event', '{}');
    expect(await others.known(endpoint.id)).toEqual(new Set(['before', 'event']));
    const [due] = await others.due(endpoint.id);
    expect(due).toEqual({ key: 'event', body: '{}', tries: 0 });
    const claims = await many(4, (at) => (at % 2 === 0 ? endpoints : others).claim(endpoint.id, due as never));
    expect(claims.filter((isMine) => isMine)).toHaveLength(1);
    await endpoints.noteTried(endpoint.id, 'event', 'it answered 500');
    expect(await others.standing(endpoint.id)).toEqual({ sentAt: null, failure: 'it answered 500', givenUp: 0 });
    await endpoints.noteTried(endpoint.id, 'event', null);
    expect(await others.standing(endpoint.id)).toEqual({ sentAt: expect.any(Number), failure: null, givenUp: 0 });
    expect([await endpoints.remove(endpoint.id), await others.list()]).toEqual([true, []]);
  });

  test('people have their roles, are found by name and key, and come in by a link once', async () => {
    const { one, other } = await open();
    const { people } = peopleIn(one);
    const anna = await people.add(' Anna ', ['preparer', 'administrator']);
    expect(anna).toMatchObject({
      name: 'Anna',
      roles: ['administrator', 'preparer'],
      hasComeIn: false,
      lockedAt: null,
    });
    const elsewhere = peopleIn(other).people;
    expect(await elsewhere.byName('ANNA')).toEqual(anna);
    const [voided, token] = [await people.invite(anna.id), await people.invite(anna.id, anna.id)];
    expect(await elsewhere.invitation(voided)).toBeNull();
    expect(await elsewhere.invitation(token)).toMatchObject({ person: { id: anna.id }, madeBy: anna.id });
    expect((await many(4, () => elsewhere.useInvitation(token))).filter(Boolean)).toHaveLength(1);
    await people.setSecrets(anna.id, SECRETS);
    expect(await elsewhere.byPublicKey('KEY')).toMatchObject({ id: anna.id, hasComeIn: true, keyFile: 'a.age' });
    expect(await elsewhere.kept(anna.id)).toEqual({ password: SECRETS.password, keySalt: SECRETS.keySalt });
    expect(await elsewhere.isLastAdministrator(anna.id)).toBe(true);
    await people.setLocked(anna.id, true);
    expect(await elsewhere.withRole('administrator')).toEqual([]);
    await expect(people.add('anna', [])).rejects.toThrow();
  });

  test('a grant is for an entity and a job, and approvals count only where the person approves and sees', async () => {
    const { one, other } = await open();
    const { people } = peopleIn(one);
    const { id } = await people.add('Bea', ['viewer', 'approver']);
    await people.setSecrets(id, SECRETS);
    const approves = (job: string | null, details = true, entity: string | null = null) =>
      people.setGrants(id, [everywhere('viewer'), { role: 'approver', entity, job, details }]);
    const policy = { preparer: 'Ben' };
    const whyNot = async (job: string | null) => {
      const header = { job } as RunCreated;
      return (await withdrawnBy(peopleIn(other), 'KEY', { header, policy }))?.why ?? null;
    };
    await approves('salaries');
    const { grants, roles } = (await peopleIn(other).people.get(id)) ?? {};
    expect(roles).toEqual(['approver', 'viewer']);
    expect(grants).toEqual([{ role: 'approver', entity: null, job: 'salaries', details: true }, everywhere('viewer')]);
    expect([await whyNot('salaries'), await whyNot('bonus'), await whyNot(null)]).toEqual([
      null,
      'no_approver',
      'no_approver',
    ]);
    await approves('salaries', true, 'another entity');
    expect(await whyNot('salaries')).toBe('no_approver');
    await people.setGrants(id, [{ ...everywhere('approver'), details: false }]);
    expect(await whyNot('salaries')).toBe('sees_no_details');
    // One that another one covers is not kept.
    await people.setGrants(id, [{ ...everywhere('viewer'), job: 'bonus', details: false }, everywhere('viewer')]);
    expect((await people.get(id))?.grants).toEqual([everywhere('viewer')]);
  });

  test('what was reset is held against both until another administrator confirms it', async () => {
    const { one, other } = await open();
    const { people, access, audit } = peopleIn(one);
    const [ann, bob, cat] = [await people.add('Ann', []), await people.add('Bob', []), await people.add('Cat', [])];
    await people.setSecrets(bob.id, SECRETS);
    for (const { id } of [ann, cat])
      await audit.append({ person: id, act: 'came_in', details: { roles: ['administrator'], public_key: id } });
    await access.reset(bob.id, ann.id, 'sign_in');
    const elsewhere = peopleIn(other);
    expect(await elsewhere.access.onHold('KEY', { preparer: 'Ann' })).toMatchObject({ change: { by: ann.id } });
    expect(await elsewhere.access.holdOf(bob.id)).toBe('all');
    expect(await elsewhere.access.confirmable(bob.id, ann.id)).toEqual([]);
    const confirming = () => other.store.transaction(() => elsewhere.access.confirm(bob.id, cat.id));
    expect((await many(3, confirming)).map(({ length }) => length).sort()).toEqual([0, 0, 1]);
    expect(await access.holdOf(bob.id)).toBeNull();
    expect(await elsewhere.audit.ownerOf(cat.id)).toBe(cat.id);
    expect(await elsewhere.audit.hadAdministratorBeside(ann.id)).toBe(true);
  });

  test('a person let in by the only administrator counts against both for live payments, until the provider knows them', async () => {
    const { one, other } = await open();
    const { people, access, audit } = peopleIn(one);
    const [ann, bob] = [await people.add('Ann', []), await people.add('Bob', [])];
    await people.setSecrets(bob.id, SECRETS);
    await audit.append({ person: ann.id, act: 'came_in', details: { roles: ['administrator'], public_key: ann.id } });
    await access.granted(bob.id, ann.id);
    const elsewhere = peopleIn(other).access;
    const held = async () => [
      await elsewhere.onHold('KEY', { preparer: 'Ann' }),
      (await elsewhere.onHold('KEY', { preparer: 'Ann' }, true))?.change.by ?? null,
      await elsewhere.onHold('KEY', { preparer: 'Somebody' }, true),
    ];
    expect(await held()).toEqual([null, ann.id, null]);
    expect(await access.confirmable(bob.id, ann.id)).toEqual([]);
    await access.knownByProvider(bob.id);
    expect(await held()).toEqual([null, null, null]);
  });

  test('the audit log is one chain, whichever hosts write it at once; what was altered is found', async () => {
    const { one, other, tamper } = await open();
    await many(24, (at) =>
      peopleIn(at % 2 === 0 ? one : other).audit.append({ person: null, act: 'act', runId: 'R1', details: { at } }),
    );
    const { audit } = peopleIn(other);
    expect(await audit.verify()).toMatchObject({ ok: true, entries: 24 });
    expect((await audit.list({ runId: 'R1', limit: 2 })).map(({ n }) => n)).toEqual([24, 23]);
    expect((await audit.list({ before: 3 })).map(({ n }) => n)).toEqual([2, 1]);
    expect(await audit.ofRuns(['R1', 'R2'], ['act', 'other'])).toHaveLength(24);
    expect(await audit.ofRuns([], ['act'])).toEqual([]);
    await tamper("UPDATE audit SET act = 'none' WHERE n = 7");
    expect(await audit.verify()).toMatchObject({ ok: false, n: 7, fault: { code: 'altered' } });
    await tamper('DELETE FROM audit WHERE n >= 7');
    expect(await audit.verify()).toMatchObject({ ok: false, n: 7, fault: { code: 'cut_off', written: 24 } });
  });

  test('a session is known on every host by its token alone, and what is secret of it is not in the tables', async () => {
    const { one, other } = await open();
    const { id } = await peopleIn(one).people.add('Ann', []);
    const [here, there] = [new Sessions(one), new Sessions(other)];
    const token = await here.begin(id, 'the passphrase');
    const session = await there.find(token, true);
    expect(session).toMatchObject({ personId: id, passphrase: 'the passphrase' });
    if (session === null) throw new Error('no session');
    expect(await there.find(`${token}x`, true)).toBeNull();
    await here.setNewLink(session, { personId: id, link: 'https://page/welcome#secret' });
    const rows = JSON.stringify(await one.store.all('SELECT * FROM session'));
    for (const secret of [token, 'passphrase"', 'the passphrase', 'secret', 'welcome'])
      expect(rows.replaceAll('"passphrase":', '')).not.toContain(secret);
    const links = await many(4, (at) => (at % 2 === 0 ? here : there).takeNewLink(session));
    expect(links.filter((link) => link !== null)).toEqual([{ personId: id, link: 'https://page/welcome#secret' }]);
    await here.ask(session, { for: 'register', challenge: 'c', nonce: null, lastsMs: 60_000 });
    const taken = await many(4, (at) => (at % 2 === 0 ? here : there).takeChallenge(session, 'register'));
    expect(taken.filter((one_) => one_ !== null)).toHaveLength(1);
    await here.ask(session, { for: 'register', challenge: 'c', nonce: null, lastsMs: -1 });
    expect(await there.takeChallenge(session, 'register')).toBeNull();
    await there.end(token);
    expect([await here.find(token, true), await here.isOpen(session)]).toEqual([null, false]);
  });

  test('a code of an app counts once, on whichever host, and so does each recovery code', async () => {
    const { one, other } = await open();
    const { id } = await peopleIn(one).people.add('Ann', []);
    const session = { personId: id, key: 'session', passphrase: 'the passphrase' };
    const [here, there] = [new SecondFactors(one), new SecondFactors(other)];
    const secret = await here.prepare(session);
    expect(Buffer.compare(await there.prepare(session), secret)).toBe(0);
    expect(await there.hasApp(id)).toBe(false);
    const code = (steps: number) => totpCode(secret, stepAt(one.clock.wallMs()) + steps);
    const confirmed = await many(3, (at) => (at % 2 === 0 ? here : there).confirm(session, code(-1)));
    const [recovery] = confirmed.flatMap((codes) => codes ?? []);
    expect(confirmed.filter((codes) => codes !== null)).toHaveLength(1);
    expect(await there.hasApp(id)).toBe(true);
    for (const [typed, kind] of [
      [code(0), 'app'],
      [recovery ?? '', 'recovery_code'],
    ] as const) {
      const taken = await many(4, (at) => (at % 2 === 0 ? here : there).take(id, session.passphrase, typed));
      expect(taken.filter((found) => found !== null)).toEqual([kind]);
    }
    expect(await there.codesLeft(id)).toBe(9);
    await here.require(true);
    await here.require(true);
    expect(await there.isRequired()).toBe(true);
    await there.require(false);
    expect(await here.isRequired()).toBe(false);
  });

  test('a person has twenty sessions at most, ends them all at once, and idle ones end', async () => {
    const { one, other } = await open();
    const { id } = await peopleIn(one).people.add('Ann', []);
    const sessions = new Sessions(one);
    const tokens: string[] = [];
    for (let at = 0; at < 21; at++) {
      tokens.push(await sessions.begin(id, 'p'));
      await machineClock.sleep(2);
    }
    expect(await sessions.find(tokens[0] ?? '', false)).toBeNull();
    expect(await sessions.find(tokens[1] ?? '', false)).not.toBeNull();
    await other.store.run('UPDATE session SET seen_at = seen_at - ?', 30 * 60_000);
    await machineClock.sleep(2);
    expect(await sessions.find(tokens[20] ?? '', true)).toBeNull();
    const token = await sessions.begin(id, 'p');
    await new Sessions(other).endOf(id);
    expect(await sessions.find(token, true)).toBeNull();
  });

  test('wrong passwords count together on all hosts, many at once too', async () => {
    const { one, other } = await open();
    const attempts = [new Attempts(one), new Attempts(other)] as const;
    const begun = await many(8, (at) => attempts[at % 2 === 0 ? 0 : 1].begin('name anna', null));
    expect(begun.filter((waitMs) => waitMs === 0)).toHaveLength(3);
    await attempts[1].succeeded('name anna', null);
    expect(await attempts[0].begin('name anna', '192.0.2.1')).toBe(0);
  });

  test('a browser is known to its person by its token, on every host', async () => {
    const { one, other } = await open();
    const [ann, bob] = [await peopleIn(one).people.add('Ann', []), await peopleIn(one).people.add('Bob', [])];
    const token = await new Devices(one).remember(ann.id, null);
    const devices = new Devices(other);
    expect(await devices.find(token, ann.id)).not.toBeNull();
    expect(await devices.find(token, bob.id)).toBeNull();
    expect(await devices.remember(ann.id, token)).toBe(token);
    expect(await devices.remember(bob.id, token)).not.toBe(token);
  });

  test('a mail is sent by one of the hosts that look for it at once, and not where it was skipped', async () => {
    const { one, other } = await open();
    const { id } = await peopleIn(one).people.add('Ann', []);
    const [outbox, others] = [new Outbox(one), new Outbox(other)];
    const claims = await many(8, (at) => (at % 2 === 0 ? outbox : others).claim(id, 'failed R1'));
    expect(claims.filter(Boolean)).toHaveLength(1);
    await outbox.noteSent(id, 'failed R1');
    await others.skip(id, ['failed R2', 'failed R1']);
    expect([await outbox.claim(id, 'failed R1'), await outbox.claim(id, 'failed R2')]).toEqual([false, false]);
    expect(await others.givenUp(id)).toEqual({ mails: 0, at: null });
    await new Choices(one).set(id, { address: 'ann@example.org', events: ['failed'] });
    await new Choices(other).set(id, { address: 'ann@example.org', events: ['waiting', 'failed'] });
    expect(await new Choices(one).of(id)).toEqual({ address: 'ann@example.org', events: ['waiting', 'failed'] });
    await new Choices(other).set(id, { address: '', events: [] });
    expect(await new Choices(one).of(id)).toBeNull();
  });

  test('a notice in the page is noted once by the hosts that look for it at once, and what there was before is not news', async () => {
    const { one, other } = await open();
    const { id } = await peopleIn(one).people.add('Ann', []);
    const [inbox, others] = [new Inbox(one), new Inbox(other)];
    const notice = (event: 'failed' | 'waiting', runId: string) => {
      return { key: `${event} ${runId}`, event, runId, text: `${runId} ${event}`, isRehearsal: true };
    };
    const before = [notice('failed', 'R1'), notice('waiting', 'R2')];
    await Promise.all([inbox.add(id, before), others.add(id, before)]);
    expect(await inbox.unread(id)).toEqual(['R2']);
    const now = [...before, notice('failed', 'R3')];
    await many(6, (at) => (at % 2 === 0 ? inbox : others).add(id, now));
    expect((await inbox.of(id)).map(({ text, isRehearsal }) => [text, isRehearsal]).sort()).toEqual([
      ['R2 waiting', true],
      ['R3 failed', true],
    ]);
    await others.markRead(id, 'R3');
    expect(await inbox.unread(id)).toEqual(['R2']);
    await others.skip(id, [notice('failed', 'R4')]);
    // A host that has just begun knows what others noted.
    await new Inbox(one).add(id, [...now, notice('failed', 'R4')]);
    await inbox.markRead(id, null);
    expect(await others.unread(id)).toEqual([]);
    expect(await inbox.of(id)).toHaveLength(2);
    expect(await new Choices(one).inPage()).toEqual(new Map());
    await new Choices(one).setInPage(id, ['failed']);
    await new Choices(other).setInPage(id, []);
    expect(await new Choices(one).inPage()).toEqual(new Map([[id, []]]));
  });

  test('a payee has each tag once, however it is written, and ten at most', async () => {
    const { one, other } = await open();
    const { id } = await peopleIn(one).people.add('Ann', []);
    const [tags, others] = [new PayeeTags(one), new PayeeTags(other)];
    const outcomes = await many(14, (at) => (at % 2 === 0 ? tags : others).add('p1', `Tag ${at % 12}`, id));
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(10);
    const [first = ''] = (await others.all()).get('p1') ?? [];
    expect(await tags.add('p1', first.toUpperCase(), id)).toBe('there');
    expect(await tags.add('p1', 'one more', id)).toBe('full');
    expect([await others.remove('p1', first.toUpperCase()), await tags.remove('p1', first)]).toEqual([true, false]);
    expect(await tags.add('p2', 'ÉTÉ', id)).toBe('added');
    expect([...(await others.all())].map(([payee, own]) => [payee, own.length])).toEqual([
      ['p1', 9],
      ['p2', 1],
    ]);
  });

  test('a layout of many long headers is found by them on every host, takes the place of the one before, and its name is its own', async () => {
    const { one, other } = await open();
    const anna = await peopleIn(one).people.add('Anna', ['preparer']);
    const headers = Array.from({ length: 400 }, () => randomUUID());
    const columns = (means: 'amount' | null) => Object.fromEntries(headers.map((header) => [header, means]));
    const [here, there] = [new FileLayouts(one), new FileLayouts(other)];
    expect(await here.save('Payroll', columns(null), anna.id)).toBe('saved');
    expect(await there.save('PAYROLL ', columns('amount'), anna.id)).toBe('saved');
    expect(await here.ofHeaders(headers.toReversed())).toMatchObject({ name: 'PAYROLL', columns: columns('amount') });
    expect(await here.list()).toHaveLength(1);
    expect(await here.save('payroll', { amount: 'amount' }, anna.id)).toBe('taken');
    expect(await here.ofHeaders(headers.slice(1))).toBeNull();
  });

  test('passkeys are of one person', async () => {
    const { one, other } = await open();
    const [ann, bob] = [await peopleIn(one).people.add('Ann', []), await peopleIn(one).people.add('Bob', [])];
    const passkey = { id: 'k', label: 'Phone', rpId: 'pay', publicKey: 'P', counter: 0, transports: ['usb', 'nfc'] };
    await new Passkeys(one).add(ann.id, passkey);
    const passkeys = new Passkeys(other);
    await expect(passkeys.add(bob.id, passkey)).rejects.toThrow();
    await passkeys.used('k', 7);
    expect(await passkeys.of(ann.id, 'pay')).toEqual([expect.objectContaining({ ...passkey, counter: 7 })]);
    expect(await passkeys.of(ann.id, 'elsewhere')).toEqual([]);
    expect([await passkeys.remove(bob.id, 'k'), await passkeys.removeAll(ann.id)]).toEqual([false, 1]);
  });

  test('a file that one host keeps is found on the other, whole, and removed from both', async () => {
    const { one, other } = await open();
    const folder = uploadFolder('abc');
    const content = Buffer.alloc(2_500_000, 'payrun ');
    const path = one.store.files.path(folder, 'input.csv');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    await one.store.files.keep(folder, 'input.csv');
    const found = await many(3, () => other.store.files.find(folder, 'input.csv'));
    for (const each of found) expect(readFileSync(each ?? '').equals(content)).toBe(true);
    expect(await other.store.files.find(folder, 'other.csv')).toBeNull();
    expect((await other.store.files.uploads()).map(({ id }) => id)).toContain('abc');
    await other.store.files.removeFolder(folder);
    rmSync(path, { force: true });
    expect([existsSync(found[0] ?? ''), await one.store.files.find(folder, 'input.csv')]).toEqual([false, null]);
  });

  test('work is done by one host at a time', async () => {
    const { one, other } = await open();
    const works = [one, other].map((host) => new SharedWork({ ...host, log: silentLog }));
    const claims = await many(6, (at) => works[at % 2]?.take('check a', 'checked') ?? Promise.resolve(null));
    const [claim, ...more] = claims.filter((each) => each !== null);
    expect(more).toEqual([]);
    expect(await works[1]?.underWay('check a')).toBe('checked');
    await claim?.release();
    expect(await works[0]?.underWay('check a')).toBeNull();
    expect(await works[1]?.take('check a', 'checked')).not.toBeNull();
    // Its host died.
    await other.store.run('UPDATE work SET until = 0');
    expect(await works[0]?.underWay('check a')).toBeNull();
    for (const work of works) work.close();
  });

  test('there is one entity at first; others get ids that say their names, and keep them', async () => {
    const { one, other } = await open();
    const [entities, elsewhere] = [new Entities(one), new Entities(other)];
    expect(await elsewhere.list()).toMatchObject([{ id: 'main', name: 'Main' }]);
    expect(await entities.rename('main', ' Northwind Ltd ')).toBe(true);
    expect(await elsewhere.add('Café & Söhne GmbH')).toMatchObject({
      id: 'cafe-sohne-gmbh',
      name: 'Café & Söhne GmbH',
    });
    expect(await entities.add('CAFE SOHNE gmbh')).toMatchObject({ id: 'cafe-sohne-gmbh-2' });
    expect(await entities.add('測試')).toMatchObject({ id: 'entity' });
    expect(await entities.add('northwind  LTD')).toBeNull();
    expect(await elsewhere.rename('entity', 'Northwind Ltd')).toBe(false);
    expect(await elsewhere.rename('nobody', 'Nobody')).toBe(false);
    expect((await elsewhere.list()).map(({ name }) => name).slice(0, 2)).toEqual(['Northwind Ltd', 'CAFE SOHNE gmbh']);
    expect(entities.entityOfRun({})).toBe('main');
    expect(entities.entityOfRun({ entity: 'cafe-sohne-gmbh' })).toBe('cafe-sohne-gmbh');
  });

  test('a connection is tested, rotated, confirmed by another person and disabled, whichever host does it, and each act is noted', async () => {
    const { one, other } = await open();
    const { people, audit } = peopleIn(one);
    const [omar, olga] = [await people.add('Omar', ['administrator']), await people.add('Olga', ['administrator'])];
    const [connections, elsewhere] = [new Connections(one), new Connections(other)];
    const by = (person: { id: string }) => ({ person: person.id, audit });
    const byOther = (person: { id: string }) => ({ person: person.id, audit: peopleIn(other).audit });
    const profile = JSON.stringify({ base_url: 'https://a.example/', api_key: 'key_1', signing_key_file: 'a.pem' });
    const made = await connections.add({ name: 'Started', entityId: 'main', profile }, by(omar));
    expect(made).toMatchObject({ id: 'started-2', revision: 1, test: null, isRehearsal: null, disabledAt: null });
    expect(await elsewhere.add({ name: ' started ', entityId: 'main', profile }, byOther(omar))).toBeNull();
    const passed = { ok: true as const, isRehearsal: false, currencies: ['AUD'], aheadMs: 12, tookMs: 3 };
    await elsewhere.tested({ id: 'started-2', revision: 1 }, passed, byOther(omar));
    // What was found of keys that were rotated meanwhile is not kept.
    await elsewhere.tested({ id: 'started-2', revision: 2 }, { ok: false, message: 'x', remedy: 'y' }, byOther(omar));
    expect(await connections.get('started-2')).toMatchObject({ test: passed, isRehearsal: false });
    expect(await connections.confirm({ id: 'started-2', revision: 1 }, by(omar))).toBe(false);
    expect(await elsewhere.confirm({ id: 'started-2', revision: 1 }, byOther(olga))).toBe(true);
    const next = { profile: profile.replace('a.pem', 'b.pem'), test: passed };
    const rotated = await many(2, (at) =>
      at === 0
        ? connections.rotate({ id: 'started-2', revision: 1 }, next, by(omar))
        : elsewhere.rotate({ id: 'started-2', revision: 1 }, next, byOther(omar)),
    );
    expect(rotated.sort()).toEqual([false, true]);
    expect(await elsewhere.get('started-2')).toMatchObject({ revision: 2, confirmedAt: null, profile: next.profile });
    await connections.setDisabled('started-2', true, by(olga));
    await elsewhere.setDisabled('started-2', true, byOther(olga));
    expect((await elsewhere.list())[0]?.disabledAt).not.toBeNull();
    const acts = (await audit.list()).map(({ act }) => act.replace('connection_', '')).reverse();
    expect(acts).toEqual(['added', 'tested', 'confirmed', 'rotated', 'disabled']);
    expect(await audit.verify()).toMatchObject({ ok: true, entries: 5 });
  });

  test('edits of rows are saved on the revision that they were made on, and the last of a person is taken back', async () => {
    const { one, other } = await open();
    const { people, audit } = peopleIn(one);
    const [anna, ben] = [await people.add('Anna', ['preparer']), await people.add('Ben', ['preparer'])];
    const file = { name: 'pay.csv', kind: '.csv', bytes: 1, sha256: 'a1', job: null, reading: '{}', mends: null };
    await one.store.insert('upload', { ...file, id: 'u1', person_id: anna.id, at: 1, revision: 1, corrects: null });
    const [edits, elsewhere] = [new EditLog(one), new EditLog(other)];
    const { audit: auditElsewhere } = peopleIn(other);
    const at = (revision: number) => ({ id: 'u1', revision });
    const cell = (was: string, now: string) => ({ kind: 'cell' as const, row: 2, column: 1, old: was, new: now });
    const by = (name: string) => ({ sheet: 'July', by: name, at: expect.any(Number) });
    const made = (...changes: Change[]) => ({ sheet: 'July', changes });
    const deleted = { kind: 'row_deleted' as const, row: 3, texts: ['Ben', 'x'] };

    expect(await edits.save(at(1), anna, audit, made(cell('=1+1', '10'), deleted))).toEqual({
      outcome: 'saved',
      revision: 2,
    });
    const stale = await elsewhere.save(at(1), ben, auditElsewhere, made(cell('=1+1', '11')));
    expect(stale).toMatchObject({
      outcome: 'stale',
      revision: 2,
      saves: [{ by: 'Anna', changes: [{ new: '10' }, {}] }],
    });
    expect(await elsewhere.save(at(2), ben, auditElsewhere, made(cell('10', '11')))).toEqual({
      outcome: 'saved',
      revision: 3,
    });
    expect(await edits.editsOf(at(3))).toEqual([
      { kind: 'cell', row: 2, column: 1, old: '=1+1', new: '11', ...by('Ben') },
      { kind: 'row_deleted', row: 3, old: ['Ben', 'x'], ...by('Anna') },
    ]);
    // A revision keeps what it had.
    expect(await edits.editsOf(at(2))).toMatchObject([{ new: '10', by: 'Anna' }, { row: 3 }]);

    const undo = (revision: number, person: typeof anna, sheet: string | null = 'July') =>
      edits.undo(at(revision), person, audit, sheet);
    const redo = (revision: number, person: typeof anna) =>
      elsewhere.redo(at(revision), person, auditElsewhere, 'July');
    const saved = (revision: number) => ({ outcome: 'saved', revision });
    const before = await edits.editsOf(at(3));
    expect(await undo(3, anna)).toEqual({ outcome: 'nothing_to_undo' });
    expect(await undo(3, ben, 'August')).toEqual({ outcome: 'nothing_to_undo' });
    expect(await redo(3, ben)).toEqual({ outcome: 'nothing_to_redo' });
    expect(await undo(3, ben)).toEqual(saved(4));
    expect(await undo(4, anna)).toEqual(saved(5));
    expect(await edits.editsOf(at(5))).toEqual([]);
    expect(await undo(5, anna)).toEqual({ outcome: 'nothing_to_undo' });

    // What was taken back last is made again first, by who took it back, and can be taken back again.
    expect(await redo(5, ben)).toEqual({ outcome: 'nothing_to_redo' });
    expect(await redo(5, anna)).toEqual(saved(6));
    expect(await redo(6, ben)).toEqual(saved(7));
    expect(await edits.editsOf(at(7))).toEqual(before.map((edit) => ({ ...edit, at: expect.any(Number) })));
    expect(await redo(7, ben)).toEqual({ outcome: 'nothing_to_redo' });
    expect(await undo(7, ben)).toEqual(saved(8));
    expect(await redo(7, ben)).toMatchObject({ outcome: 'stale', revision: 8 });
    // A new change leaves nothing to be made again.
    expect(await edits.save(at(8), anna, audit, made(cell('10', '12')))).toEqual(saved(9));
    expect(await redo(9, ben)).toEqual({ outcome: 'nothing_to_redo' });
    expect(await undo(9, anna)).toEqual(saved(10));
    expect(await undo(10, anna)).toEqual(saved(11));
    expect(await edits.editsOf(at(11))).toEqual([]);
    const rows = Array.from({ length: EDITS_MAX + 1 }, (_, row) => ({ kind: 'row_added' as const, row: row + 10 }));
    expect(await edits.save(at(11), anna, audit, made(...rows))).toEqual({ outcome: 'too_many' });

    const acts = (await audit.list()).filter(({ act }) => /^(rows_edited|edit_(undone|redone))$/.test(act)).reverse();
    expect(acts.slice(0, 6).map(({ act, person }) => [act, person])).toEqual([
      ['rows_edited', anna.id],
      ['rows_edited', ben.id],
      ['edit_undone', ben.id],
      ['edit_undone', anna.id],
      ['edit_redone', anna.id],
      ['edit_redone', ben.id],
    ]);
    expect(acts[0]?.details).toMatchObject({ upload: 'u1', cells: ['B2'], rows_deleted: [3] });
    expect(acts[4]?.details).toMatchObject({ undoes: 5, cells: ['B2'], rows_deleted: [3] });
    await edits.remove('u1');
    expect(await edits.of(at(11))).toEqual([]);
  });
});
