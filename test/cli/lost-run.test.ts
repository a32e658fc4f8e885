import { expect, test } from 'vitest';
import { keepingRun, lossOf } from '../../src/app/runs/known-run.ts';
import { CommitUncertain, Deposed, JournalUnreadable } from '../../src/journal/journal.ts';
import { refusedBy } from '../support/refused.ts';

test.each([
  [
    new Deposed({ why: 'taken' }, 'the lease was taken'),
    'held',
    'Another process took run R1 over because this one was silent for too long. This one has stopped and sends nothing more.',
    'Nothing is lost: the other goes on from the journal. See its progress: payrun show R1',
  ],
  [
    new Deposed({ why: 'replaced' }, 'the file was replaced'),
    'person_needed',
    "The journal's file was replaced or removed while this process worked on run R1. It has stopped, and sends nothing more. What it wrote is not in the file that is there now, if any.",
    'Put the newest copy of the journal back, with the -wal file beside it, and then: payrun resume R1',
  ],
  [
    new CommitUncertain(new Error('disk I/O error')),
    'person_needed',
    'The disk did not confirm the last write about run R1 (disk I/O error). This process has stopped and sends nothing more.',
    'Nothing is lost. Make room on the disk or mend it; then this reads again what is on it and goes on from there: payrun resume R1',
  ],
  [
    new Deposed({ why: 'altered', path: 'journal.db', how: 'cut_short' }, ''),
    'person_needed',
    "Another program changed the journal's files while this process worked on run R1: journal.db was truncated while this process had it open. It has stopped, and sends nothing more. What it wrote last may be lost.",
    'Keep what is there, put back the newest copy of the journal that was made before, with the -wal file beside it, and then: payrun resume R1. It looks at the service for what that copy does not know.',
  ],
  [
    new JournalUnreadable(new Error('disk I/O error')),
    'person_needed',
    'The journal could not be read (disk I/O error). This process has stopped and sends nothing more of run R1.',
    'Nothing is lost. Repair the disk, or let the process open more files (ulimit -n 1024); then go on: payrun resume R1',
  ],
  [
    Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' }),
    'person_needed',
    'Too many files are open (EMFILE: too many open files). This process has stopped and sends nothing more of run R1.',
    'Nothing is lost. Let the process open more files (ulimit -n 1024), then go on: payrun resume R1',
  ],
])('a run that is lost is told in words, with what to do: %s', async (error, kind, message, remedy) => {
  const refused = await refusedBy(keepingRun('R1', () => Promise.reject(error)));
  expect(refused).toEqual({ kind, message, remedy, details: { run_id: 'R1', stopped: true } });
});

test('any other error passes as it is', async () => {
  const error = new Error('something else');
  await expect(keepingRun('R1', () => Promise.reject(error))).rejects.toBe(error);
  expect(lossOf(error)).toBeNull();
});
