import { describe, expect, test } from 'vitest';
import { completed, payoutRow } from '../report/example-run.ts';
import { refusedBy } from '../support/refused.ts';
import { ACCOUNT, everyEntry, JournalPlace, type Printed } from './journal-place.ts';

const place = new JournalPlace();

describe('a run that does not exist', () => {
  const commands: [string, (runId: string) => Promise<Printed>][] = [
    ['show', (runId) => place.show(runId, false)],
    ['report', (runId) => place.report(runId)],
    ['verify', (runId) => place.verify(runId, false)],
  ];

  test.each(commands)('is refused by %s with the one that was probably meant', async (_name, command) => {
    await place.runIn('R20261125-7K3M9QZ2', [payoutRow(2)]);
    await place.runIn('R20260101-AAAAAAAA', [payoutRow(2)]);
    expect(await refusedBy(command('R20261125-7K3N9QZ2'))).toMatchObject({
      kind: 'usage',
      message: 'There is no run R20261125-7K3N9QZ2 in this data directory.',
      remedy: 'Did you mean R20261125-7K3M9QZ2? See `payrun runs`.',
    });
  });

  test.each([
    ['r20261125-7k3m9qz2', 'Did you mean R20261125-7K3M9QZ2? See `payrun runs`.'],
    ['7K3M9QZ2', 'Did you mean R20261125-7K3M9QZ2? See `payrun runs`.'],
    ['R20261125', 'Did you mean R20261125-7K3M9QZ2? See `payrun runs`.'],
    ['banana', 'See `payrun runs` for the runs there are.'],
    ['', 'See `payrun runs` for the runs there are.'],
    ['x'.repeat(10_000), 'See `payrun runs` for the runs there are.'],
  ])('%j: %s', async (typed, remedy) => {
    await place.runIn('R20261125-7K3M9QZ2', [payoutRow(2)]);
    expect(await refusedBy(place.show(typed, false))).toMatchObject({ kind: 'usage', remedy });
  });
});

test('a damaged journal is a matter for a person, and verify is named', async () => {
  await place.runIn('run1', [payoutRow(2)], completed(2));
  await place.tamper("UPDATE entry SET data = replace(data, '125000', '925000') WHERE n = 4");
  expect(await refusedBy(place.show('run1', false))).toMatchObject({
    kind: 'person_needed',
    remedy: 'See what `payrun verify run1` says.',
  });
  await expect(place.runs(true)).rejects.toMatchObject({ kind: 'person_needed' });
});

test('no command prints a whole account number', async () => {
  const { rows, after } = everyEntry();
  const [first] = rows;
  if (first?.order) first.order.payee.name = `Payee ${ACCOUNT}`;
  await place.runIn('run1', rows, after);
  const said = [
    await place.runs(false),
    await place.runs(true),
    await place.show('run1', false),
    await place.show('run1', true),
  ];
  said.push(await place.report('run1'), await place.verify('run1', true));
  for (const { stdout, stderr } of said) expect(stdout + stderr).not.toContain(ACCOUNT);
});
