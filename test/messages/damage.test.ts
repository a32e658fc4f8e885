import { expect, test } from 'vitest';
import type { JournalDamage } from '../../src/domain/outcomes/journal-damage.ts';
import { damageText } from '../../src/messages/damage-words.ts';

test.each<[JournalDamage | string, string]>([
  [{ of: 'R1', code: 'entry_missing', n: 3, next: 5 }, 'run R1: entry 3 is missing: after 2 comes 5'],
  [{ code: 'entry_missing', n: 3, next: null }, 'entry 3 is missing'],
  [
    { code: 'entry_unreadable', n: 4, why: { text: 'malformed', problem: 'invalid_type at row' } },
    'entry 4 cannot be read: its text is not a well-formed entry: invalid_type at row',
  ],
  [
    { code: 'entry_misplaced', n: 4, kind: 'intent', why: { how: 'earlier_epoch', epoch: 1, last: 2 } },
    'entry 4 (intent) has the epoch 1 after the epoch 2',
  ],
  [
    { code: 'entries_gone', from: 7, to: 9, path: 'heads-R1.txt' },
    'entries 7 to 9, which heads-R1.txt names, are gone',
  ],
  [{ code: 'entries_gone', from: 9, to: 9, path: null }, 'entry 9, which an earlier report names, is gone'],
  [
    { code: 'column_changed', column: 'job_period' },
    "the run's job and period (job_period) are not those that it was created with",
  ],
  [{ code: 'runs_deleted', runs: 1 }, 'a run was deleted from it'],
  ['EIO', 'EIO'],
])('%j', (damage, words) => {
  expect(damageText(damage)).toBe(words);
});
