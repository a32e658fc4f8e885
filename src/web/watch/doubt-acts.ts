import type { RunRow } from '../../domain/entry.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { CommandLine } from '../../report/command-line.ts';
import type { Choice } from '../../report/doubts/doubt-choices.ts';
import { type Doubt, doubtAt, surfacedDoubts } from '../../report/doubts/doubts.ts';
import type { FollowedRun } from './followed-run.ts';
import { pageCommand } from './page-command.ts';
import type { RowState } from './row-states.ts';

/** What a person can do about a doubt on the page; `words` are those of the command that does it. */
export type DoubtAct = {
  key: 'look' | 'sent' | 'not_sent';
  /** The transaction that the payout is said to be; null where the person has to name it, or there is none. */
  transaction: string | null;
  does: string;
  risk: string;
  words: readonly string[];
};

/** Keeps the words of a command apart, so that the page can tell them: no word has this sign. */
const APART = '\u0000';
const apart: CommandLine = (...words) => words.join(APART);

/** Where people put in a transaction of their own. */
const SOME_TRANSACTION = 'TX';

/** Doubts that one page lists. */
export const DOUBTS_SHOWN_MAX = 100;

/** The first doubts, and how many there are. */
export type Doubts = { shown: Doubt[]; total: number };

/** The states of rows that are in doubt. */
const DOUBTFUL: ReadonlySet<RowState> = new Set(['sending', 'in_doubt', 'unresolved']);

/** The first doubts of a run, those that were perhaps paid twice first. */
export function shownDoubts({ run, rows }: Pick<FollowedRun, 'run' | 'rows'>): Doubts {
  const surfaced = surfacedDoubts(run, apart).take(DOUBTS_SHOWN_MAX).toArray();
  const others = rows
    .placesIn(DOUBTFUL)
    .map((place) => doubtIn(run.rows[place], run))
    .filter((doubt) => doubt !== null)
    .take(DOUBTS_SHOWN_MAX - surfaced.length);
  const { sending, in_doubt, unresolved } = rows.counts;
  return { shown: [...surfaced, ...others], total: run.surfaced.length + sending + in_doubt + unresolved };
}

/** The doubt about a row, or null where there is none. */
export function doubtOfRow({ run, rows }: FollowedRun, number: number): Doubt | null {
  for (const doubt of surfacedDoubts(run, apart)) if (doubt.row === number) return doubt;
  return doubtIn(run.rows[rows.placeOf(number) ?? -1], run);
}

function doubtIn(row: RunRow | undefined, run: RunState): Doubt | null {
  const payout = row === undefined ? undefined : run.payouts.get(row.row);
  return row === undefined || payout === undefined ? null : doubtAt(run, row, payout, apart);
}

/** What can be done here about a doubt, the harmless first. */
export function doubtActs({ choices }: Doubt): DoubtAct[] {
  return choices.filter((choice) => !isOfWholeRun(choice)).map(actOf);
}

/** What can be done by command only: it sends whatever of the run is not listed, and not this payout alone. */
export function wholeRunActs({ choices }: Doubt): (Pick<Choice, 'does' | 'risk'> & { command: string })[] {
  return choices
    .filter(isOfWholeRun)
    .map(({ command, does, risk }) => ({ does, risk, command: `payrun ${command.split(APART).join(' ')}` }));
}

function isOfWholeRun({ command }: Choice): boolean {
  return command.split(APART).includes('--resubmit-absent');
}

/** What has to be typed before anything is said about a doubt: what would be paid twice, or not at all. */
export function confirmationOf({ amount, currency }: Doubt): string {
  return `${amount} ${currency}`;
}

/** Blanks, thousands and capitals make no difference. */
export function isConfirmed(doubt: Doubt, typed: string): boolean {
  const plain = (text: string) => text.replace(/[\s,]/g, '').toUpperCase();
  return plain(typed) === plain(confirmationOf(doubt));
}

function actOf({ command, does: said, risk }: Choice): DoubtAct {
  const words = command.split(APART);
  const does = said.replace(/\bresume\b/, pageCommand('resume'));
  const sentAt = words.indexOf('--sent');
  if (sentAt !== -1) {
    const transaction = words[sentAt + 1] ?? SOME_TRANSACTION;
    return { key: 'sent', transaction: transaction === SOME_TRANSACTION ? null : transaction, does, risk, words };
  }
  if (words.includes('--not-sent')) return { key: 'not_sent', transaction: null, does, risk, words };
  return { key: 'look', transaction: null, does, risk, words };
}
