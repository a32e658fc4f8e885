import { expect, test } from 'vitest';
import { parkedPayees } from '../../../src/app/show/parked-payees.ts';
import { parkedPayeeLines } from '../../../src/cli/runs/stop-text.ts';
import type { Entry } from '../../../src/domain/entry.ts';
import { assert } from '../../../src/domain/refusal.ts';
import { plainCommand } from '../../../src/messages/command-line.ts';
import { accountKey, recipientKey } from '../../../src/runner/provision/payees.ts';
import { exampleRun, intent, payoutRow, RUN_ID } from '../../report/example-run.ts';

const { request } = intent(2);
const rows = [payoutRow(2), payoutRow(3)];

/** What happened to the recipient of row 2, and to the account of row 3. */
function parked() {
  const [second, third] = rows.map(({ order }) => order);
  assert(second && third?.destination.kind === 'account', 'both rows have an order');
  const recipient = { target: 'recipient' as const, key: recipientKey(second) };
  const account = { target: 'account' as const, key: accountKey(third, third.destination) };
  const made = { target: 'recipient' as const, key: recipientKey(third), id: 'rec_3', scope: 'rehearsal' };
  const entries: Entry[] = [
    { kind: 'ensure_intent', ...recipient, attempt: 1, request },
    { kind: 'ensure_doubt', ...recipient, attempt: 1, reason: 'lost' },
    { kind: 'ensure_unresolved', ...recipient, attempt: 1, about: 'no_expiry', reason: 'nothing of 987654321' },
    { kind: 'ensured', ...made, by: 'created' },
    { kind: 'ensure_ambiguous', ...account, ids: ['acc_1', 'acc_2'] },
  ];
  return parkedPayees(exampleRun(rows, entries), plainCommand);
}

test('payees that are parked are told with their rows, why, and what a person can do and risks', () => {
  const text = parked().map((payee) => `${parkedPayeeLines(payee).join('\n')}\n`);
  expect(text.join('\n')).toBe(
    `row 2, Payee 2: not sent
  It is not known whether the service has made the recipient record, and it is not made again
  without proof.
  you can  payrun resume ${RUN_ID}
             Checks the service again. No risk.
           payrun resume ${RUN_ID} --resubmit-absent
             Checks again, and creates again what is not in the service's list. Unconfirmed payouts
             are resent too. The service may have one record too many; a payout that was made after
             all is paid twice.

row 3, Payee 3: not sent
  2 records of the service could be the account: acc_1, acc_2.
  you can  payrun resume ${RUN_ID}
             Checks the service again. No risk.
           Or cancel the run and pay these rows in a separate file, with the right record in the
           column external_account_id or recipient_id.
`,
  );
});

test('for programs too, without account numbers; a payee that is merely not made yet is not parked', () => {
  expect(parked()).toMatchObject([
    { payee: 'Payee 2', missing: 'recipient', rows: [2], state: 'unresolved', reason: 'nothing of ••••4321' },
    { payee: 'Payee 3', missing: 'account', rows: [3], state: 'ambiguous', candidates: ['acc_1', 'acc_2'] },
  ]);
  expect(parkedPayees(exampleRun(rows), plainCommand)).toEqual([]);
});
