import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProfile, webhookProfile } from '../../src/compose/profile.ts';
import { readSettings } from '../../src/compose/settings.ts';
import { readWebhookKeys } from '../../src/compose/webhooks.ts';
import { printWebhookPublicKey, printWebhookSecret } from '../../src/contract/webhook.ts';
import { DEFAULT_PROFILE } from '../../src/domain/profile.ts';
import { signingKey } from '../../src/keys/ed25519.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { refusedWith } from '../support/refused.ts';

const KEY = printWebhookPublicKey(signingKey(new Uint8Array(32).fill(1)).publicKey);
const SECRET = printWebhookSecret(new Uint8Array(32).fill(2));

/** What a profile's file and the options make together, with its keys. */
function read(file: string | null, options: Record<string, string> = {}, environment: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const path = join(folder, 'profile.yaml');
  if (file !== null) writeFileSync(path, file);
  const there = { baseUrl: 'https://payouts.example/', apiKey: 'key_1', signingKey: 'key.pem' };
  const settings = readSettings({ ...there, ...options, ...(file === null ? {} : { profile: path }) }, environment);
  const profile = readProfile(settings, environment);
  return { folder, webhooks: profile.webhooks, keys: readWebhookKeys(profile, environment) };
}

describe('where webhooks are received', () => {
  it('is nowhere unless it is said', () => {
    expect(read(null)).toMatchObject({ webhooks: null, keys: null });
    expect(read('rate: 10\n')).toMatchObject({ webhooks: null, keys: null });
  });

  it.each([
    ['127.0.0.1:8795', '127.0.0.1:8795'],
    ['localhost:8795', '127.0.0.1:8795'],
    ['0.0.0.0:80', '0.0.0.0:80'],
    ['[::1]:0', '[::1]:0'],
    ['[::]:8795', '[::]:8795'],
  ])('can be %s', (webhookListen, listen) => {
    expect(read(null, { webhookListen, webhookKey: KEY }).webhooks).toEqual({ listen, public_key: KEY, secret: null });
  });

  it.each([
    '8795',
    ':8795',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:65536',
    '127.0.0.1:-1',
    '127.0.0.1:8795/hook',
    '127.0.0.256:8795',
    '::1:8795',
    '[::1]',
    'payouts.example:8795',
    '*:8795',
    'http://127.0.0.1:8795',
    'None',
  ])('cannot be %s', (webhookListen) => {
    expect(refusedWith(() => read(null, { webhookListen, webhookKey: KEY }))).toMatch(/no address with a port/);
  });

  it('comes from the environment too', () => {
    const environment = { PAYRUN_WEBHOOK_LISTEN: '127.0.0.1:1', PAYRUN_WEBHOOK_KEY: KEY };
    expect(read(null, {}, environment).webhooks).toMatchObject({ listen: '127.0.0.1:1', public_key: KEY });
  });

  it('is said by options over the profile, and none switches it off', () => {
    const file = `webhooks: {listen: "127.0.0.1:1", public_key: ${KEY}}\n`;
    expect(read(file).webhooks).toEqual({ listen: '127.0.0.1:1', public_key: KEY, secret: null });
    expect(read(file, { webhookListen: '127.0.0.1:2' }).webhooks).toMatchObject({ listen: '127.0.0.1:2' });
    expect(read(file, { webhookListen: 'none' }).webhooks).toBe(null);
    const settings = readSettings({ webhookListen: '127.0.0.1:3' }, {});
    expect(webhookProfile(settings, { listen: '127.0.0.1:1', public_key: KEY, secret: null })).toEqual({
      listen: '127.0.0.1:3',
      public_key: KEY,
      secret: null,
    });
  });
});

describe('the keys of webhooks', () => {
  it('are read from the environment or a file beside the profile, and the profile holds no secret', () => {
    const file = 'webhooks: {listen: "127.0.0.1:1", secret: env:HOOK_SECRET}\n';
    const { webhooks, keys } = read(file, {}, { HOOK_SECRET: `${SECRET}\n` });
    expect(webhooks).toEqual({ listen: '127.0.0.1:1', public_key: null, secret: 'env:HOOK_SECRET' });
    expect(keys).toEqual({ publicKey: null, secret: new Uint8Array(32).fill(2) });

    const folder = temporaryFolder();
    writeFileSync(join(folder, 'secret'), `${SECRET}\n`, { mode: 0o600 });
    writeFileSync(join(folder, 'profile.yaml'), 'webhooks: {listen: "127.0.0.1:1", secret: "file:secret"}\n');
    const there = { baseUrl: 'https://payouts.example/', apiKey: 'key_1', signingKey: 'key.pem' };
    const profile = readProfile(readSettings({ ...there, profile: join(folder, 'profile.yaml') }, {}), {});
    // As a whole path, so that the run can be resumed from elsewhere.
    expect(profile.webhooks?.secret).toBe(`file:${join(folder, 'secret')}`);
    expect(readWebhookKeys(profile, {})?.secret).toEqual(new Uint8Array(32).fill(2));
    chmodSync(join(folder, 'secret'), 0o640);
    expect(refusedWith(() => readWebhookKeys(profile, {}))).toMatch(/the permissions of/);
  });

  it.each([
    ['no key at all', 'webhooks: {listen: "127.0.0.1:1"}', /without a key/],
    [
      'a secret in the file itself',
      `webhooks: {listen: "127.0.0.1:1", secret: ${SECRET}}`,
      /:1:43: a secret does not belong/,
    ],
    [
      'a variable that is not set',
      'webhooks: {listen: "127.0.0.1:1", secret: env:NO_SUCH}',
      /variable NO_SUCH is not set/,
    ],
    ['a file that is not there', 'webhooks: {listen: "127.0.0.1:1", secret: "file:/no/such"}', /cannot be read/],
    ['a variable that holds something else', 'webhooks: {listen: "127.0.0.1:1", secret: env:OTHER}', /holds no secret/],
    [
      'a public key that is a secret',
      `webhooks: {listen: "127.0.0.1:1", public_key: ${SECRET}}`,
      /:1:47: a secret does not belong/,
    ],
    [
      'a public key of small order',
      `webhooks: {listen: "127.0.0.1:1", public_key: ${printWebhookPublicKey(new Uint8Array(32))}}`,
      /cannot be used/,
    ],
    ['no address', `webhooks: {public_key: ${KEY}}`, /profile.yaml:1:\d+: webhooks.listen/],
    ['a key that the profile does not know', 'webhooks: {listen: "127.0.0.1:1", sceret: env:A}', /webhooks.sceret/],
  ])('with %s are refused', (_, file, message) => {
    expect(refusedWith(() => read(`${file}\n`, {}, { OTHER: KEY }))).toMatch(message);
  });

  it('without an address are refused', () => {
    expect(refusedWith(() => read(null, { webhookKey: KEY }))).toMatch(/no address/);
  });

  it('that are none are found before anything happens', async () => {
    const folder = temporaryFolder();
    const data = join(folder, 'data');
    const where = ['--data-dir', data, '--report-dir', join(folder, 'reports')];
    const key = join(folder, 'key.pem');
    expect((await payrun(['keys', 'new', key])).exit).toBe(0);
    const service = ['--base-url', 'http://127.0.0.1:1', '--api-key', 'key_1', '--signing-key', key];
    const given = [...service, '--webhook-listen', '127.0.0.1:0', '--webhook-key', SECRET];
    const { exit, stderr } = await payrun(['run', 'samples/payroll.csv', '--yes', ...where, ...given]);
    expect(exit).toBe(2);
    expect(stderr).toContain('no whpk_ key');
    // A secret that was given by mistake is not repeated.
    expect(stderr).not.toContain(SECRET);
    expect(existsSync(data)).toBe(false);
  });

  it('are none of the profile that payrun is shipped with', () => {
    expect(DEFAULT_PROFILE.webhooks).toBe(null);
  });
});
