import type { DamageCode, EntryTextFault, JournalDamage, Misplacement } from '../domain/outcomes/journal-damage.ts';
import { either, t, textTable } from './translate.ts';

/** What of a journal is not as it was written, as a clause. The text of another error stays as it is. */
export function damageText(damage: JournalDamage | string): string {
  if (typeof damage === 'string') return damage;
  // The compiler cannot see that the code picks the words of its own parameters.
  const text = (DAMAGE[damage.code] as (damage: DamageCode) => string)(damage);
  return damage.of === undefined ? text : t`run ${damage.of}: ${text}`;
}

/** The words for each kind of damage. The compiler reports missing ones. */
type DamageWords = {
  readonly [C in DamageCode['code']]: (damage: Extract<DamageCode, { code: C }>) => string;
};

const stored = () => t`what is stored of who was paid (projected_run, projected_states, projected_orders)`;

const DAMAGE: DamageWords = {
  no_run: () => t`there is no such run`,
  no_creation: () => t`entry 1, which creates it, is missing`,
  creates_no_run: () => t`entry 1 does not create it`,
  no_history: () => t`its entries are no history of a run`,
  head_moved: () => t`its head is not where its only writer left it`,
  entry_missing: ({ n, next }) => t`entry ${n} is missing${next === null ? '' : t`: after ${n - 1} comes ${next}`}`,
  entry_rewritten: ({ n, kind }) => t`entry ${n} (${kind}) is not the one that was written: its hash differs`,
  entry_unreadable: ({ n, why }) => t`entry ${n} cannot be read: ${entryText(why)}`,
  entry_misplaced: ({ n, kind, why }) => t`entry ${n} (${kind}) ${misplacedText(why)}`,
  entry_not_as_noted: ({ n, path }) => t`entry ${n} is not the one that ${path ?? t`an earlier report`} names`,
  entries_gone: ({ from, to, path }) => {
    const which = from === to ? t`entry ${to}` : t`entries ${from} to ${to}`;
    return t`${which}, which ${path ?? t`an earlier report`} names, ${either(from === to, 'is', 'are')} gone`;
  },
  end_missing: ({ from, to }) => t`entries ${from} to ${to} are missing at the end`,
  beyond_end: ({ end, entries }) => t`the run ends at entry ${end}, but there are ${entries}`,
  other_last_hash: ({ n }) => t`the run's last hash is not that of entry ${n}`,
  not_last: ({ n }) => t`entry ${n} is not its last one; run verify for details`,
  orders_changed: ({ n }) => t`entry ${n} does not order what was paid`,
  column_changed: ({ column }) => COLUMNS[column],
  is_planned_changed: ({ isPlanned }) => {
    const claim = isPlanned ? t`was never started, but it was` : t`was started, but it never was`;
    return t`the run's column is_planned says that it ${claim}`;
  },
  lease_epoch: ({ lease, entries }) => t`the lease has the epoch ${lease}, but the entries ${entries}`,
  lease_changed: ({ what }) => t`the lease has another ${either(what === 'id', 'id', 'holder')} than the entries`,
  no_lease: () => t`a run has no lease`,
  holder_unreadable: () => t`the holder of a lease cannot be read`,
  projection_changed: ({ runId }) => t`${stored()} is not what the entries of ${runId} give`,
  projection_page_changed: ({ n }) => t`${stored()} is not what entry ${n} and those after it give`,
  projection_page_added: () => t`${stored()} has rows that no entry gives`,
  unknown_state: ({ row }) => t`row ${row} is in a state that no version of payrun writes`,
  unknown_hint: ({ n }) => t`hint ${n} is of a kind that no version of payrun writes`,
  unknown_hold: ({ n }) => t`hold ${n} is of a kind that no version of payrun writes`,
  runs_deleted: ({ runs }) => t`${runs === 1 ? t`a run was` : t`${runs} runs were`} deleted from it`,
  cut_short: ({ path }) => t`${path} is empty, and its write-ahead log (-wal) is not: it was cut short`,
  no_journal: ({ path }) => t`${path} is not a journal, or it is damaged`,
  file_damaged: () => t`the journal's file is damaged`,
  finding: ({ text }) => text,
};

const COLUMNS = textTable({
  input_sha256: "the run's input hash (input_sha256) is not the one that it was created with",
  created_at: "the run's creation time (created_at) is not the one that it was created with",
  job_period: "the run's job and period (job_period) are not those that it was created with",
});

function entryText(fault: EntryTextFault): string {
  switch (fault.text) {
    case 'no_json':
      return t`its text is not JSON`;
    case 'unknown_kind':
      return t`its text is not an entry of a kind that this payrun knows`;
    case 'malformed':
      return t`its text is not a well-formed entry: ${fault.problem}`;
  }
}

function misplacedText(why: Misplacement): string {
  switch (why.how) {
    case 'other_kind_or_row':
      return t`is stored under another kind or row`;
    case 'no_creation':
      return t`is not where a run is created`;
    case 'other_first_epoch':
      return t`has another epoch than the first`;
    case 'lease_of_other_epoch':
      return t`takes a lease of another epoch`;
    case 'creates_another':
      return t`creates the run ${why.run}`;
    case 'earlier_epoch':
      return t`has the epoch ${why.epoch} after the epoch ${why.last}`;
    case 'epoch_without_lease':
      return t`has the epoch ${why.epoch}, whose lease nobody took`;
  }
}
