import { genesis, linkHash } from '../../../src/journal/chain.ts';
import { encodeEntry } from '../../../src/journal/entries.ts';
import type { EntryValues, Tamper } from '../place.ts';
import { sampleIntent } from '../samples.ts';

export const RUN = 'R1';
export const LAST = 9;

type Tampering = { what: string; tamper(tamper: Tamper): Promise<void>; n: number | null; says: string };

/** What somebody can do to a run of nine entries, and which entry `verify` must name. */
export const TAMPERINGS: Tampering[] = [
  {
    what: 'the amount of an intent is edited',
    tamper: (tamper) => editAmount(tamper, 5),
    n: 5,
    says: 'entry 5 (intent) is not the one that was written',
  },
  {
    what: 'an amount is edited and the entry given the hash of what it is now',
    tamper: editWithHash,
    n: 6,
    says: 'entry 6',
  },
  {
    what: 'the first entry is edited',
    tamper: (tamper) => editText(tamper, 1, 'payroll', 'payr0ll'),
    n: 1,
    says: 'entry 1',
  },
  { what: 'the last entry is edited', tamper: (tamper) => editAmount(tamper, LAST), n: LAST, says: 'entry 9' },
  { what: 'one blank is added', tamper: (tamper) => editText(tamper, 5, '"kind"', ' "kind"'), n: 5, says: 'entry 5' },
  { what: 'NUL is added', tamper: (tamper) => editText(tamper, 5, '}}', '}}\u0000'), n: 5, says: 'entry 5' },
  { what: 'a time is edited', tamper: (tamper) => tamper.setEntry(RUN, 5, { at: 1 }), n: 5, says: 'entry 5' },
  { what: 'an epoch is edited', tamper: (tamper) => tamper.setEntry(RUN, 5, { epoch: 2 }), n: 5, says: 'entry 5' },
  { what: 'a kind is edited', tamper: (tamper) => tamper.setEntry(RUN, 5, { kind: 'doubt' }), n: 5, says: 'entry 5' },
  { what: 'a row is edited', tamper: (tamper) => tamper.setEntry(RUN, 5, { row_number: 99 }), n: 5, says: 'entry 5' },
  {
    what: 'a row is removed',
    tamper: (tamper) => tamper.setEntry(RUN, 5, { row_number: null }),
    n: 5,
    says: 'entry 5',
  },
  {
    what: 'a number beyond what JavaScript can hold is put in',
    tamper: (tamper) => tamper.setEntry(RUN, 5, { at: 2 ** 62 }),
    n: null,
    says: 'damaged',
  },
  {
    what: 'a hash is edited',
    tamper: (tamper) => tamper.setEntry(RUN, 5, { hash: new Uint8Array(32) }),
    n: 5,
    says: 'entry 5',
  },
  {
    what: 'an entry in the middle is deleted',
    tamper: (tamper) => tamper.deleteEntry(RUN, 5),
    n: 5,
    says: 'entry 5 is missing: after 4 comes 6',
  },
  {
    what: 'an entry is deleted and the later ones move up',
    tamper: async (tamper) => {
      await tamper.deleteEntry(RUN, 5);
      for (let n = 6; n <= LAST; n++) await tamper.setEntry(RUN, n, { n: n - 1 });
      await tamper.setRun(RUN, 'head_n', LAST - 1);
    },
    n: 5,
    says: 'entry 5 (intent) is not the one that was written',
  },
  {
    what: 'the first entry is deleted',
    tamper: (tamper) => tamper.deleteEntry(RUN, 1),
    n: 1,
    says: 'entry 1 is missing',
  },
  {
    what: 'the last entry is deleted',
    tamper: (tamper) => tamper.deleteEntry(RUN, LAST),
    n: LAST,
    says: 'entries 9 to 9 are missing at the end',
  },
  {
    what: 'the last two entries are deleted',
    tamper: async (tamper) => {
      await tamper.deleteEntry(RUN, LAST);
      await tamper.deleteEntry(RUN, LAST - 1);
    },
    n: LAST - 1,
    says: 'entries 8 to 9 are missing at the end',
  },
  { what: 'every entry is deleted', tamper: deleteAll, n: 1, says: 'entries 1 to 9 are missing' },
  { what: 'two entries change places', tamper: swap, n: 5, says: 'entry 5' },
  { what: 'two entries change texts', tamper: swapTexts, n: 5, says: 'entry 5' },
  {
    what: 'an entry is appended with a hash of nothing',
    tamper: (tamper) => forge(tamper, new Uint8Array(32)),
    n: LAST + 1,
    says: 'entry 10',
  },
  {
    what: 'an entry is appended with the right hash, but not the head',
    tamper: (tamper) => forge(tamper, null),
    n: LAST + 1,
    says: 'the run ends at entry 9, but there are 10',
  },
  {
    what: "the head's number is lowered",
    tamper: (tamper) => tamper.setRun(RUN, 'head_n', 8),
    n: 9,
    says: 'ends at entry 8',
  },
  {
    what: "the head's number is raised",
    tamper: (tamper) => tamper.setRun(RUN, 'head_n', 12),
    n: 10,
    says: '10 to 12',
  },
  {
    what: "the head's hash is edited",
    tamper: (tamper) => tamper.setRun(RUN, 'head_hash', new Uint8Array(32)),
    n: LAST,
    says: 'last hash',
  },
  {
    what: "the run's creation time is edited",
    tamper: (tamper) => tamper.setRun(RUN, 'created_at', 1),
    n: null,
    says: 'creation time',
  },
  {
    what: "the run's input is edited",
    tamper: (tamper) => tamper.setRun(RUN, 'input_sha256', 'b'.repeat(64)),
    n: null,
    says: 'input hash',
  },
  {
    what: "the run's id is edited",
    tamper: (tamper) => tamper.setRun(RUN, 'id', 'R7'),
    n: null,
    says: 'there is no run R1',
  },
  {
    what: 'the run is said to wait to be started',
    tamper: (tamper) => tamper.setRun(RUN, 'is_planned', 1),
    n: null,
    says: 'is_planned',
  },
  {
    what: 'the run is said to pay a period of a job',
    tamper: (tamper) => tamper.setRun(RUN, 'job_period', 'payroll/2026-11'),
    n: null,
    says: 'job_period',
  },
  {
    what: "the lease's id is edited",
    tamper: (tamper) => tamper.setLease(RUN, 'lease_id', 'aa'),
    n: null,
    says: 'another id',
  },
  {
    what: "the lease's holder is edited",
    tamper: (tamper) => tamper.setLease(RUN, 'holder', '{}'),
    n: null,
    says: 'another holder',
  },
  {
    what: "the lease's epoch is lowered",
    tamper: (tamper) => tamper.setLease(RUN, 'epoch', 0),
    n: null,
    says: 'epoch',
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
