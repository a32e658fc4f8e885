import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIRST_HASH, type HashedPosting, postingHash } from '../../src/service/ledger/posting-hash.ts';
import { openDatabase, type Store } from '../../src/service/store/database.ts';
import { servicePaths } from '../../src/service/store/open.ts';
import { verifyLedger } from '../../src/service/verify/verify.ts';
import { addPayee, gbpPayout, ledgerFindings, settled, startTestService } from './harness.ts';

/*
 * Each invariant of the books is shown to be able to fail: real books, made through HTTP, are copied and tampered with,
 * and the proof has to name the row. Who tampers with postings reckons the chain of hashes anew, as a thief who knows
 * its form would, so that each invariant has to hold on its own; only those of the chain itself do not.
 */

/** Ids of the transactions in the books, by what they are. */
type Books = Record<'done' | 'failed' | 'pending' | 'returned' | 'swap' | 'lost', string>;

let dataDir: string;
let books: Books;
beforeAll(async () => {
  const service = await startTestService({ settleMs: 0 });
  dataDir = service.dataDir;
  const pay = async (name: string, request: (accountId: string) => object): Promise<string> =>
    service.data('transaction.transfer', request((await addPayee(service, name)).accountId));
  const converting = (accountId: string): object => ({
    currency_out: { value: '100000', code: 'USD', decimals: 2 },
    currency_in: { value: '75568', code: 'GBP', decimals: 2 },
    external_accounts: { from: null, to: { id: accountId } },
  });
  books = {
    done: await pay('Ada', (id) => gbpPayout(id, 10_000)),
    failed: await pay('REHEARSE_CLOSED', (id) => gbpPayout(id, 20_000)),
    pending: await pay('REHEARSE_STUCK', (id) => gbpPayout(id, 30_000)),
    returned: await pay('REHEARSE_RETURN', converting),
    swap: await service.data('transaction.transfer', {
      currency_out: { value: '100000', code: 'GBP', decimals: 2 },
      currency_in: { value: '131670', code: 'USD', decimals: 2 },
      external_accounts: { from: null, to: null },
    }),
    lost: await pay('REHEARSE_SANCTIONS', converting),
  };
  for (const id of [books.done, books.failed, books.returned, books.swap, books.lost]) await settled(service, id);
  await service.stop();
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** What the proof says of a copy that was tampered with. */
function findingsAfter(tamper: (copy: Store, transfer: (id: string) => number) => void): string[] {
  const path = join(dataDir, 'copy.db');
  copyFileSync(servicePaths(dataDir).database, path);
  const copy = openDatabase(path);
  try {
    for (const { name } of copy.all("SELECT name FROM sqlite_schema WHERE type = 'trigger'"))
      copy.exec(`DROP TRIGGER ${name}`);
    copy.exec('DROP INDEX posting_resolved_once; PRAGMA foreign_keys = OFF');
    tamper(copy, (id) => Number(copy.get('SELECT transfer FROM transfer WHERE id = ?', id)?.transfer));
    return verifyLedger(copy);
  } finally {
    copy.close();
    rmSync(path);
  }
}

function chainAgain(copy: Store): void {
  let hash = FIRST_HASH;
  for (const row of copy.all('SELECT * FROM posting ORDER BY posting')) {
    hash = postingHash(hash, row as HashedPosting);
    copy.run('UPDATE posting SET hash = ? WHERE posting = ?', hash, Number(row.posting));
  }
}

/** Of `sql`, `$name` is the number of that transaction. `shows` has the ids put in for `$name`. */
type Tampering = [invariant: string, what: string, sql: string, shows: string];

const DOUBLED = `UPDATE transfer SET in_value = '263340' WHERE transfer = $swap;
  UPDATE posting SET amount = '263340' WHERE transfer = $swap AND kind = 'move'`;
const NUMBER_OF = (owner: string, code: string) =>
  `(SELECT ledger_account FROM ledger_account WHERE owner = '${owner}' AND code = '${code}')`;

/** A second deposit, of `amount`, that names a payout. */
const RETURN_OF = (payout: string, amount: string) => `INSERT INTO transfer (id, customer, kind, status, created_at,
  updated_at, in_code, in_value, out_code, out_value, fee_value, rail, payout_reference, external_reference,
  external_reference_type, outcome, usd_cents) SELECT 'copied' || hex(randomblob(4)), customer, 'deposit', status,
  created_at, updated_at, 'GBP', '${amount}', 'GBP', '${amount}', '0', rail, '', id, 'RETURN', 'RETURN', 0
  FROM transfer WHERE transfer = ${payout}`;

const WITH_A_SOUND_CHAIN: Tampering[] = [
  [
    '1',
    'a kept balance that has no other side',
    "UPDATE ledger_account SET debits_posted = '1' WHERE owner = 'fees' AND code = 'GBP'",
    'the accounts in GBP: debits and credits differ by 0 pending, 1 posted',
  ],
  [
    '1',
    'a reserve that has no other side',
    "UPDATE ledger_account SET credits_pending = '7' WHERE owner = 'fees' AND code = 'USD'",
    'the accounts in USD: debits and credits differ by -7 pending, 0 posted',
  ],
  [
    '1',
    'a posting from one currency to another',
    `UPDATE posting SET credit = ${NUMBER_OF('world', 'USD')} WHERE transfer = $done AND kind = 'move'`,
    'takes rail:GBP_FPS GBP for world USD',
  ],
  [
    '2',
    'an opening balance that never covered what was spent',
    `UPDATE posting SET amount = '100' WHERE transfer IS NULL AND credit = ${NUMBER_OF('customer:1', 'GBP')}`,
    'takes customer:1 GBP below zero',
  ],
  [
    '3',
    'a reserve that is not the transaction’s amount',
    "UPDATE posting SET amount = '30001' WHERE transfer = $pending AND amount = '30000'",
    'customer:1 GBP has 30021 pending, its open transactions and their fees make 30020',
  ],
  [
    '3',
    'an open transaction whose fee was changed',
    "UPDATE transfer SET fee_value = '21' WHERE transfer = $pending",
    '$pending is PENDING: it reserved 30000 from customer:1 GBP to rail:GBP_FPS GBP, 20 from customer:1 GBP to fees GBP, not',
  ],
  [
    '3',
    'a fee that was reserved as part of the amount',
    `DELETE FROM posting WHERE transfer = $pending AND amount = '20';
     UPDATE posting SET amount = '30020' WHERE transfer = $pending`,
    '$pending is PENDING: it reserved 30020 from customer:1 GBP to rail:GBP_FPS GBP, not 30000',
  ],
  [
    '4',
    'a failed payout that keeps its reserve',
    "DELETE FROM posting WHERE transfer = $failed AND kind = 'release'",
    '$failed is FAILED with 20020 still reserved',
  ],
  [
    '4',
    'a payout that says COMPLETED before its time',
    "UPDATE transfer SET status = 'COMPLETED', step = NULL WHERE transfer = $pending",
    '$pending is COMPLETED with 30020 still reserved',
  ],
  [
    '4',
    'a completed payout that was given back',
    "UPDATE posting SET kind = 'release' WHERE transfer = $done AND kind = 'post'",
    '$done is COMPLETED: 0 of its legs were posted, not 2',
  ],
  [
    '4',
    'a failed conversion that gave what it promised',
    `INSERT INTO posting (at, kind, transfer, debit, credit, amount) VALUES (0, 'move', $lost,
     ${NUMBER_OF('liquidity', 'GBP')}, ${NUMBER_OF('customer:1', 'GBP')}, '75568')`,
    '$lost is FAILED: it moved 75568 from liquidity GBP to customer:1 GBP, not nothing',
  ],
  [
    '4',
    'a payout that nothing will ever end',
    "UPDATE transfer SET outcome = 'COMPLETE' WHERE transfer = $pending",
    '$pending is PENDING: its next step is settle, due at no time',
  ],
  [
    '4',
    'a payout that would be settled again',
    "UPDATE transfer SET step = 'settle', due_at = 1 WHERE transfer = $done",
    '$done is COMPLETED: its next step is settle, due at 1',
  ],
  [
    '4',
    'a completed payout with a reason why it failed',
    "UPDATE transfer SET failure_code = 'ACCOUNT_CLOSED' WHERE transfer = $done",
    '$done is COMPLETED: its failure is ACCOUNT_CLOSED',
  ],
  [
    '4',
    'fees that a customer was given',
    `INSERT INTO posting (at, kind, transfer, debit, credit, amount) VALUES (0, 'move', NULL,
     ${NUMBER_OF('fees', 'GBP')}, ${NUMBER_OF('customer:1', 'GBP')}, '20')`,
    'from fees GBP to customer:1 GBP belongs to no transaction',
  ],
  [
    '5',
    'a reserve that was given back twice',
    `INSERT INTO posting (at, kind, transfer, debit, credit, amount, resolves) SELECT at, kind, transfer, debit, credit,
     amount, resolves FROM posting WHERE transfer = $failed AND kind = 'release' AND amount = '20000'`,
    'which is no open reserve',
  ],
  [
    '5',
    'a reserve that was posted with another amount',
    "UPDATE posting SET amount = '9999' WHERE transfer = $done AND kind = 'post' AND amount = '10000'",
    'resolves a reserve of another amount',
  ],
  [
    '5',
    'a reserve that another transaction posted',
    "UPDATE posting SET transfer = $failed WHERE transfer = $done AND kind = 'post'",
    'resolves a reserve of another transfer',
  ],
  [
    '6',
    'a balance that was edited',
    "UPDATE ledger_account SET credits_posted = '1' WHERE owner = 'customer:1' AND code = 'ETH' AND chain = 'arbitrum'",
    'customer:1 ETH on arbitrum: posted credits are kept as 1, the postings make 1000000000000000000000000',
  ],
  [
    '6',
    'a balance that is no number',
    "UPDATE ledger_account SET debits_posted = 'much' WHERE owner = 'customer:1' AND code = 'INR'",
    'customer:1 INR: posted debits are kept as much, the postings make 0',
  ],
  [
    '6',
    'the newest postings cut off',
    'DELETE FROM posting WHERE posting = (SELECT max(posting) FROM posting)',
    'are kept as',
  ],
  [
    '8',
    'a swap that brought twice what it was worth',
    DOUBLED,
    '$swap brought 263340 USD for 100300 GBP, more than at 1.32000',
  ],
  [
    '8',
    'a payee who was paid less than was asked',
    `UPDATE transfer SET in_value = '75567' WHERE transfer = $returned;
     UPDATE posting SET amount = '75567' WHERE transfer = $returned AND kind = 'move'`,
    '$returned paid 75567 GBP, and 75568 was asked',
  ],
  [
    '8',
    'a conversion without a rate',
    'UPDATE transfer SET market_rate = NULL WHERE transfer = $returned',
    '$returned is a conversion without a market rate',
  ],
  [
    '9',
    'a creation that nobody was told',
    "DELETE FROM event WHERE transfer = $pending AND type = 'transaction.created'",
    '$pending is PENDING: its events are none, not created PENDING',
  ],
  [
    '9',
    'an end that was told twice',
    `INSERT INTO event (transfer, type, status, at, code) SELECT transfer, type, status, at, code FROM event
     WHERE transfer = $done AND type = 'transaction.updated'`,
    '$done is COMPLETED: its events are created PENDING, updated COMPLETED, updated COMPLETED, not',
  ],
  [
    '9',
    'an end that was told as another',
    "UPDATE event SET status = 'COMPLETED' WHERE transfer = $failed AND type = 'transaction.updated'",
    '$failed is FAILED: its events are created PENDING, updated COMPLETED, not created PENDING, updated FAILED',
  ],
  [
    '10',
    'a record that says another amount than was delivered',
    "UPDATE transfer SET in_value = '10001' WHERE transfer = $done",
    'the transactions in GBP report 10001 to the world, the postings moved 10000',
  ],
  [
    '10',
    'a delivery that is missing',
    "DELETE FROM posting WHERE transfer = $done AND kind = 'move'",
    '$done is COMPLETED: it moved nothing, not 10000 from rail:GBP_FPS GBP to world GBP',
  ],
  [
    '10',
    'a payout that came back twice',
    `${RETURN_OF('$returned', '75568')}; ${RETURN_OF('$returned', '75568')}`,
    '$returned was returned 3 times',
  ],
  [
    '10',
    'a return of a payout that did not come back',
    RETURN_OF('$done', '10000'),
    ' is the return of no payout of that amount',
  ],
  [
    '10',
    'a return of more than had arrived',
    "UPDATE transfer SET in_value = '75569', out_value = '75569' WHERE kind = 'deposit'",
    'is the return of no payout of that amount',
  ],
  [
    '10',
    'a payout that came back to nobody',
    "UPDATE transfer SET outcome = 'RETURNED' WHERE transfer = $done",
    '$done was returned, and no deposit says so',
  ],
  [
    '10',
    'totals that were edited',
    "UPDATE transfer_total SET usd_cents = usd_cents + 1 WHERE kind = 'sell'",
    'the totals of listings are kept as',
  ],
  [
    '10',
    'a failed payout that is gone with all its traces',
    `DELETE FROM event WHERE transfer = $failed; DELETE FROM transfer_search WHERE transfer = $failed;
     DELETE FROM posting WHERE transfer = $failed AND resolves IS NOT NULL; DELETE FROM posting WHERE transfer = $failed;
     DELETE FROM transfer WHERE transfer = $failed`,
    'the newest transaction is number 7, and there are 6',
  ],
  [
    '10',
    'a transaction that no search finds',
    'DELETE FROM transfer_search WHERE transfer = $pending',
    '$pending is in no search',
  ],
];

const OF_THE_CHAIN: Tampering[] = [
  ['7', 'an amount', "UPDATE posting SET amount = '1' WHERE posting = 1", 'posting 1 is not what was written'],
  ['7', 'a time', 'UPDATE posting SET at = at + 1 WHERE posting = 5', 'posting 5 is not what was written'],
  ['7', 'a posting that is gone', 'DELETE FROM posting WHERE posting = 3', 'posting 4 is not what was written'],
  [
    '7',
    'two postings that changed places',
    'UPDATE posting SET posting = -posting WHERE posting IN (7, 8); UPDATE posting SET posting = 15 + posting WHERE posting < 0',
    'posting 7 is not what was written',
  ],
  [
    '7',
    'a hash',
    "UPDATE posting SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE posting = 9",
    'posting 9 is not what was written',
  ],
];

function put(text: string, by: (name: keyof Books) => string | number): string {
  return text.replace(/\$(\w+)/g, (_all, name: keyof Books) => String(by(name)));
}

describe('the proof of the books', () => {
  it('has nothing to say of sound books, nor of a copy with the triggers gone', () => {
    expect(ledgerFindings(dataDir)).toEqual([]);
    expect(findingsAfter(chainAgain)).toEqual([]);
  });

  it.each(WITH_A_SOUND_CHAIN)('invariant %s finds %s', (_invariant, _what, sql, shows) => {
    const findings = findingsAfter((copy, transfer) => {
      copy.exec(put(sql, (name) => transfer(books[name])));
      chainAgain(copy);
    });
    expect(findings.join('\n')).toContain(put(shows, (name) => books[name]));
    expect(findings.join('\n')).not.toContain('not what was written');
  });

  it.each(OF_THE_CHAIN)('invariant %s finds %s', (_invariant, _what, sql, shows) => {
    const findings = findingsAfter((copy) => copy.exec(sql));
    expect(findings.filter((finding) => finding.includes('its hash is another'))[0]).toContain(shows);
  });

  it('covers each invariant, and stops at a hundred findings', () => {
    const covered = new Set([...WITH_A_SOUND_CHAIN, ...OF_THE_CHAIN].map(([invariant]) => Number(invariant)));
    expect([...covered].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(
      findingsAfter((copy) => copy.exec("UPDATE ledger_account SET debits_pending = '9', credits_posted = '9'")),
    ).toHaveLength(100);
  });
});

describe('data of version 1', () => {
  it('gets its chain when it is brought up to date, and its postings stay unchangeable', async () => {
    const path = join(dataDir, 'old.db');
    const { sql } = await import('../../src/service/store/migrations/000001.sql.ts');
    const { migrate } = await import('../../src/service/store/migrations/000002.sql.ts');
    const old = openDatabase(path);
    old.exec(sql);
    old.exec(
      "INSERT INTO ledger_account VALUES (1, 'world', 'GBP', '', '0', '0', '7', '0'), (2, 'customer:1', 'GBP', '', '0', '0', '0', '7')",
    );
    old.exec("INSERT INTO posting VALUES (1, 0, 'move', NULL, 1, 2, '3', NULL), (2, 5, 'move', NULL, 1, 2, '4', NULL)");
    migrate(old);
    const hashes = old.all('SELECT hash FROM posting ORDER BY posting').map(({ hash }) => hash);
    // By sha256sum: of 64 zeros and `|1|0|move||1|2|3|`; of that and `|2|5|move||1|2|4|`.
    expect(hashes).toEqual([
      'eb780a93382a9149b52f5a856ae0397cb104e2a4113a0a8bfb507e70270cada6',
      'e86ad5c6258ecfd2cc7591dee948229a7c90cdfcc84373736d9f75e839bec955',
    ]);
    expect(() => old.exec("UPDATE posting SET amount = '9'")).toThrow(/never changed/);
    expect(() => old.exec("UPDATE posting SET hash = ''")).toThrow(/never changed/);
    old.close();
  });
});
