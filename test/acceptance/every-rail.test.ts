import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RAIL_NAMES } from '../../src/domain/rails/rail.ts';
import { csvOf, EXAMPLE_ROWS } from '../support/destinations.ts';
import { newKey } from '../support/new-key.ts';
import { payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions, arrivals } from '../support/service-admin.ts';
import { smallService } from '../support/small-service.ts';

function whereIn(folder: string, name: string): string[] {
  return ['--data-dir', join(folder, name), '--report-dir', join(folder, 'reports'), '--json', '--rate', '0'];
}

test('a payee of each rail is paid, and found again by a journal that knows nothing', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'input.csv');
  writeFileSync(file, csvOf(EXAMPLE_ROWS));
  const first = await payrun(['run', file, '--yes', ...service.options, ...whereIn(folder, 'data')]);
  expect([first.exit, JSON.parse(first.stdout).counts]).toMatchObject([0, { completed: RAIL_NAMES.length }]);
  const rails = (await allTransactions(service)).map(({ metadata }) => metadata?.rail);
  expect(rails.sort()).toEqual([...RAIL_NAMES].sort());
  const before = await arrivals(service);
  const elsewhere = whereIn(folder, 'another-journal');
  // The same file is not paid again by a journal that does not know of the first run, until a person says so.
  expect((await payrun(['run', file, '--yes', ...service.options, ...elsewhere])).exit).toBe(5);
  const second = await payrun(['run', file, '--yes', '--allow-repeat', ...service.options, ...elsewhere]);
  expect(second.exit).toBe(0);
  const after = await arrivals(service);
  for (const operation of ['account.recipient.create', 'account.external.bank.add', 'account.external.web3.add'])
    expect([operation, after[operation]]).toEqual([operation, before[operation]]);
});

const NPP = 'AUD,AUD_NPP,12345678,062-000,,,';
const SWIFT = 'EUR,EUR_SWIFT,DE89370400440532013000,,COBADEFF,,';
const EMAIL = 'BRL,BRL_PIX,ana@example.com,,,,';
const PHONE = 'BRL,BRL_PIX,+5511987654321,,,,';
const WALLET = 'USDC,WEB3,,,,0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045,polygon';

/** [what the service shows of an account, the row's own, whether it is taken for the same one; null: a person must say] */
const ALIKE: [shown: object, row: string, isSame: boolean | null][] = [
  [{ type: 'AUD_NPP', account_number: '••••5678', national_clearing_code: '062000' }, NPP, true],
  [{ type: 'AUD_NPP', account_number: '••••5679', national_clearing_code: '062000' }, NPP, false],
  [{ type: 'AUD_NPP', account_number: '••••5678', national_clearing_code: '062001' }, NPP, false],
  [{ type: 'EUR_SWIFT', account_number: '••••3000' }, SWIFT, true],
  [{ type: 'EUR_SWIFT', account_number: '••••3000', bic: 'COBADEFFXXX' }, SWIFT, true],
  [{ type: 'EUR_SWIFT', account_number: '••••3000', bic: 'DEUTDEFF' }, SWIFT, false],
  [{ type: 'BRL_PIX', account_number: '••••4321' }, PHONE, true],
  [{ type: 'BRL_PIX', account_number: '••••.com' }, EMAIL, null],
  [{ type: 'BRL_PIX', account_number: 'mariana@example.com' }, EMAIL, false],
  [{ type: 'BRL_PIX', account_number: 'Ana@example.com' }, EMAIL, true],
  [{ type: 'WEB3', address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', chain: 'polygon' }, WALLET, true],
  [{ type: 'WEB3', account_number: '••••6045', chain: 'polygon' }, WALLET, true],
  [{ type: 'WEB3', account_number: '••••6045' }, WALLET, null],
  [{ type: 'AUD_NPP', account_number: '12345678', national_clearing_code: '062-000' }, NPP, true],
  [{ type: 'AUD_NPP', account_number: '99995678', national_clearing_code: '062000' }, NPP, false],
  [{ type: 'AUD_NPP', account_number: 'XXXX5678', national_clearing_code: '062000' }, NPP, true],
  [{ type: 'AUD_NPP', account_number: '••••', national_clearing_code: '062000' }, NPP, null],
  [{ type: 'AUD_NPP', account_number: '••••5678' }, NPP, null],
  [{ type: 'AUD_NPP', account_number: '••••5678', national_clearing_code: '062000', account_name: null }, NPP, null],
  [{ type: 'WEB3', address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', chain: 'ethereum' }, WALLET, false],
  [{ type: 'WEB3', address: '0x00000000000000000000000000000000000a6045', chain: 'polygon' }, WALLET, false],
];

test('without fingerprints an account is known by what the service shows, and never by the end of an e-mail address', async () => {
  const folder = temporaryFolder();
  const shown = ALIKE.map(([account], at) => [
    `rec${at}`,
    { id: `there for rec${at}`, account_name: 'Ana', ...account },
  ]);
  const service = await smallService({ accounts: Object.fromEntries(shown) });
  const key = join(folder, 'key.pem');
  newKey(key);
  const file = join(folder, 'input.csv');
  const header =
    'recipient_id,name,amount,currency,rail,account_number,national_clearing_code,bic,wallet_address,chain';
  writeFileSync(file, `${header}\n${ALIKE.map(([, row], at) => `rec${at},Ana,1.00,${row}`).join('\n')}\n`);
  const at = ['--base-url', service.baseUrl, '--api-key', 'key', '--signing-key', key];
  const { exit, stderr } = await payrun(['run', file, '--yes', ...at, ...whereIn(folder, 'data')]);
  expect(exit, stderr).toBe(5);
  const paid = ALIKE.flatMap(([, , isSame], number) => (isSame === null ? [] : ([[isSame, number]] as const)));
  const expected = paid.map(([isSame, number]) => `${isSame ? 'there' : 'made'} for rec${number}`);
  expect(service.transfers.map(({ account }) => account).sort()).toEqual(expected.sort());
});
