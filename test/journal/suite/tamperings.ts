import type { JournalDamage } from '../../../src/domain/outcomes/journal-damage.ts';
import { genesis, linkHash } from '../../../src/journal/chain.ts';
import { encodeEntry } from '../../../src/journal/entries.ts';
import type { EntryValues, Tamper } from '../place.ts';
import { sampleIntent } from '../samples.ts';

export const RUN = 'R1';
export const LAST = 9;

type Tampering = {
  what: string;
  tamper(tamper: Tamper, strangeCharacter: string): Promise<void>;
  n: number | null;
  damage: { code: JournalDamage['code'] } & Record<string, unknown>;
};

/** What somebody can do to a run of nine entries, and which entry `verify` must name. */
export const TAMPERINGS: Tampering[] = [
  {
    what: 'the amount of an intent is edited',
    tamper: (tamper) => editAmount(tamper, 5),
    n: 5,
    damage: { code: 'entry_rewritten', n: 5, kind: 'intent' },
  },
  {
    what: 'an amount is edited and the entry given the hash of what it is now',
    tamper: editWithHash,
    n: 6,
    damage: { code: 'entry_rewritten', n: 6 },
  },
  {
    what: 'the first entry is edited',
    tamper: (tamper) => editText(tamper, 1, 'payroll', 'payr0ll'),
    n: 1,
    damage: { code: 'entry_rewritten', n: 1 },
  },
  {
    what: 'the last entry is edited',
    tamper: (tamper) => editAmount(tamper, LAST),
    n: LAST,
    damage: { code: 'entry_rewritten', n: 9 },
  },
  {
    what: 'one blank is added',
    tamper: (tamper) => editText(tamper, 5, '"kind"', ' "kind"'),
    n: 5,
    damage: { code: 'entry_rewritten', n: 5 },
  },
  {
    what: 'a strange character is added',
    tamper: (tamper, strange) => editText(tamper, 5, '}}', `}}${strange}`),
    n: 5,
    damage: { code: 'entry_rewritten', n: 5 },
  },
  {
    what: 'a time is edited',
    tamper: (tamper) => tamper.setEntry(RUN, 5, { at: 1 }),
    n: 5,
    damage: { code: 'entry_rewritten', n: 5 },
  },
  {
    what: 'an epoch is edited',
    tamper: (tamper) => tamper.setEntry(RUN, 5, { epoch: 2 }),
    n: 5,
    damage: { code: 'entry_rewritten', n: 5 },
  },
  {
    what: 'a kind is edited',
    tamper: (tamper) => tamper.setEntry(RUN, 5, { kind: 'doubt' }),
    n: 5,
    damage: { code: 'entry_rewritten', n: 5 },
  },
  {
    what: 'a row is edited',
    tamper: (tamper) => tamper.setEntry(RUN, 5, { row_number: 99 }),
    n: 5,
    damage: { code: 'entry_rewritten', n: 5 },
  },
  {
    what: 'a row is removed',
    tamper: (tamper) => tamper.setEntry(RUN, 5, { row_number: null }),
    n: 5,
    damage: { code: 'entry_rewritten', n: 5 },
  },
  {
    what: 'a number beyond what JavaScript can hold is put in',
    tamper: (tamper) => tamper.setEntry(RUN, 5, { at: 2 ** 62 }),
    n: null,
    damage: { code: 'file_damaged' },
  },
  {
    what: 'a hash is edited',
    tamper: (tamper) => tamper.setEntry(RUN, 5, { hash: new Uint8Array(32) }),
    n: 5,
    damage: { code: 'entry_rewritten', n: 5 },
  },
  {
    what: 'an entry in the middle is deleted',
    tamper: (tamper) => tamper.deleteEntry(RUN, 5),
    n: 5,
    damage: { code: 'entry_missing', n: 5, next: 6 },
  },
  {
    what: 'an entry is deleted and the later ones move up',
    tamper: async (tamper) => {
      await tamper.deleteEntry(RUN, 5);
      for (let n = 6; n <= LAST; n++) await tamper.setEntry(RUN, n, { n: n - 1 });
      await tamper.setRun(RUN, 'head_n', LAST - 1);
    },
    n: 5,
    damage: { code: 'entry_rewritten', n: 5, kind: 'intent' },
  },
  {
    what: 'the first entry is deleted',
    tamper: (tamper) => tamper.deleteEntry(RUN, 1),
    n: 1,
    damage: { code: 'entry_missing', n: 1, next: 2 },
  },
  {
    what: 'the last entry is deleted',
    tamper: (tamper) => tamper.deleteEntry(RUN, LAST),
    n: LAST,
    damage: { code: 'end_missing', from: 9, to: 9 },
  },
  {
    what: 'the last two entries are deleted',
    tamper: async (tamper) => {
      await tamper.deleteEntry(RUN, LAST);
      await tamper.deleteEntry(RUN, LAST - 1);
    },
    n: LAST - 1,
    damage: { code: 'end_missing', from: 8, to: 9 },
  },
  { what: 'every entry is deleted', tamper: deleteAll, n: 1, damage: { code: 'end_missing', from: 1, to: 9 } },
  { what: 'two entries change places', tamper: swap, n: 5, damage: { code: 'entry_rewritten', n: 5 } },
  { what: 'two entries change texts', tamper: swapTexts, n: 5, damage: { code: 'entry_rewritten', n: 5 } },
  {
    what: 'an entry is appended with a hash of nothing',
    tamper: (tamper) => forge(tamper, new Uint8Array(32)),
    n: LAST + 1,
    damage: { code: 'entry_rewritten', n: 10 },
  },
  {
    what: 'an entry is appended with the right hash, but not the head',
    tamper: (tamper) => forge(tamper, null),
    n: LAST + 1,
    damage: { code: 'beyond_end', end: 9, entries: 10 },
  },
  {
    what: "the head's number is lowered",
    tamper: (tamper) => tamper.setRun(RUN, 'head_n', 8),
    n: 9,
    damage: { code: 'beyond_end', end: 8, entries: 9 },
  },
  {
    what: "the head's number is raised",
    tamper: (tamper) => tamper.setRun(RUN, 'head_n', 12),
    n: 10,
    damage: { code: 'end_missing', from: 10, to: 12 },
  },
  {
    what: "the head's hash is edited",
    tamper: (tamper) => tamper.setRun(RUN, 'head_hash', new Uint8Array(32)),
    n: LAST,
    damage: { code: 'other_last_hash', n: LAST },
  },
  {
    what: "the run's creation time is edited",
    tamper: (tamper) => tamper.setRun(RUN, 'created_at', 1),
    n: null,
    damage: { code: 'column_changed', column: 'created_at' },
  },
  {
    what: "the run's input is edited",
    tamper: (tamper) => tamper.setRun(RUN, 'input_sha256', 'b'.repeat(64)),
    n: null,
    damage: { code: 'column_changed', column: 'input_sha256' },
  },
  {
    what: "the run's id is edited",
    tamper: (tamper) => tamper.setRun(RUN, 'id', 'R7'),
    n: null,
    damage: { code: 'no_run' },
  },
  {
    what: 'the run is said to wait to be started',
    tamper: (tamper) => tamper.setRun(RUN, 'is_planned', 1),
    n: null,
    damage: { code: 'is_planned_changed', isPlanned: true },
  },
  {
    what: 'the run is said to pay a period of a job',
    tamper: (tamper) => tamper.setRun(RUN, 'job_period', 'payroll/2026-11'),
    n: null,
    damage: { code: 'column_changed', column: 'job_period' },
  },
  {
    what: "the lease's id is edited",
    tamper: (tamper) => tamper.setLease(RUN, 'lease_id', 'aa'),
    n: null,
    damage: { code: 'lease_changed', what: 'id' },
  },
  {
    what: "the lease's holder is edited",
    tamper: (tamper) => tamper.setLease(RUN, 'holder', '{}'),
    n: null,
    damage: { code: 'lease_changed', what: 'holder' },
  },
  {
    what: "the lease's epoch is lowered",
    tamper: (tamper) => tamper.setLease(RUN, 'epoch', 0),
    n: null,
    damage: { code: 'lease_epoch' },
  },
];

async function editAmount(tamper: Tamper, n: number): Promise<void> {
  await editText(tamper, n, '"amount_minor":"1234"', '"amount_minor":"9234"');
}

async function editText(tamper: Tamper, n: number, from: string, to: string): Promise<void> {
  const data = String((await tamper.entry(RUN, n)).data);
  if (!data.includes(from)) throw new Error(`entry ${n} has no ${from}`);
  await tamper.setEntry(RUN, n, { data: data.replace(from, to) });
}

async function editWithHash(tamper: Tamper): Promise<void> {
  await editAmount(tamper, 5);
  const [four, five] = [await tamper.entry(RUN, 4), await tamper.entry(RUN, 5)];
  await tamper.setEntry(RUN, 5, { hash: Buffer.from(hashAfter(four, five), 'hex') });
}

async function deleteAll(tamper: Tamper): Promise<void> {
  for (let n = 1; n <= LAST; n++) await tamper.deleteEntry(RUN, n);
}

async function swap(tamper: Tamper): Promise<void> {
  await tamper.setEntry(RUN, 5, { n: 100 });
  await tamper.setEntry(RUN, 6, { n: 5 });
  await tamper.setEntry(RUN, 100, { n: 6 });
}

async function swapTexts(tamper: Tamper): Promise<void> {
  const [five, six] = [await tamper.entry(RUN, 5), await tamper.entry(RUN, 6)];
  await tamper.setEntry(RUN, 5, { data: six.data, row_number: six.row_number });
  await tamper.setEntry(RUN, 6, { data: five.data, row_number: five.row_number });
}

/** Appends an entry past the journal, with the hash that the journal would have given it unless told another. */
export async function forge(tamper: Tamper, hash: Uint8Array | null, change: Partial<EntryValues> = {}): Promise<void> {
  const last = await tamper.entry(RUN, LAST);
  const { kind, data } = encodeEntry(sampleIntent(8));
  const entry = { n: LAST + 1, at: Number(last.at), epoch: 1, kind, row_number: 8, data, ...change };
  await tamper.insertEntry(RUN, { ...entry, hash: hash ?? Buffer.from(hashAfter(last, entry), 'hex') });
}

/** The hash that the journal would give `entry` after `previous`, or at the beginning of the run. */
export function hashAfter(
  previous: Pick<EntryValues, 'hash'> | null,
  entry: Omit<EntryValues, 'hash'>,
  runId = RUN,
): string {
  const linked = { ...entry, row: entry.row_number } as Parameters<typeof linkHash>[2];
  const before = previous === null ? genesis(runId).hash : Buffer.from(previous.hash as Uint8Array).toString('hex');
  return linkHash(before, runId, linked);
}
