import { expect, test } from 'vitest';
import { NO_FIELDS, type RailFields, type RailName } from '../../src/domain/rails/rail.ts';
import { accountSeen } from '../../src/report/model/identifiers.ts';
import { accountWords, shownAccount } from '../../src/web/shell/account.ts';

test.each<[RailName, Partial<RailFields>, string]>([
  ['GBP_FPS', { account_number: '31926819', national_clearing_code: '601613' }, 'GB ••6819 Faster Payments'],
  ['EUR_SEPA', { account_number: 'DE89370400440532013000' }, 'DE ••3000 SEPA'],
  ['USD_SWIFT', { account_number: 'NO9386011117947', bic: 'DEUTDEFF' }, 'NO ••7947 SWIFT'],
  ['USD_SWIFT', { account_number: '000123456789', bic: 'CHASUS33' }, 'US ••6789 SWIFT'],
  ['SGD_SWIFT', { account_number: '0123456789' }, '••6789 SWIFT'],
  ['USD_ACH', { account_number: '12345678' }, 'US ••5678 ACH'],
  ['USD_WIRE', { account_number: '12345678' }, 'US ••5678 Fedwire'],
  ['HKD_FPS', { account_number: '123456789' }, 'HK ••6789 FPS'],
  ['BRL_PIX', { account_number: 'ana@example.com' }, 'BR ••.com Pix'],
  ['AUD_NPP', { account_number: '1234' }, 'AU •• NPP'],
  ['WEB3', { wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7', chain: 'polygon' }, '••9EE7 Wallet'],
])(
  'an account of %s is shown by its country, its end and a word, and nothing more of it: %o',
  (rail, fields, words) => {
    const details = { ...NO_FIELDS, ...fields };
    const seen = accountSeen({ kind: 'account', rail, account_name: 'Ana', fields: details });
    expect(accountWords(seen)).toBe(words);
    expect(String(shownAccount(seen))).not.toContain(details.account_number || details.wallet_address);
  },
);

test('an account that the file names by the service’s id is shown by that', () => {
  const seen = accountSeen({ kind: 'existing', external_account_id: 'ea_1<b>' });
  expect([accountWords(seen), String(shownAccount(seen))]).toEqual([
    'ea_1<b>',
    '<span class="id">ea_1&lt;b&gt;</span>',
  ]);
});
