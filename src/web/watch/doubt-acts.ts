import type { RunRow } from '../../domain/entry.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { plainCommand } from '../../report/command-line.ts';
import { type ChoiceText, type ChoiceWords, choiceTexts, choiceWords } from '../../report/doubts/choice-text.ts';
import type { Choice } from '../../report/doubts/doubt-choices.ts';
import { type Doubt, doubtAt, surfacedDoubts } from '../../report/doubts/doubts.ts';
import type { FollowedRun } from './followed-run.ts';
import { pageCommand } from './page-command.ts';
import type { RowState } from './row-states.ts';

/** What a person can do about a doubt on the page. */
export type DoubtAct = { act: Exclude<Choice['act'], 'resubmit_absent'>; transaction: string | null } & ChoiceWords;

/** Doubts that one page lists. */
export const DOUBTS_SHOWN_MAX = 100;

/** The first doubts, and how many there are. */
export type Doubts = { shown: Doubt[]; total: number };

/** The states of rows that are in doubt. */
const DOUBTFUL: ReadonlySet<RowState> = new Set(['sending', 'in_doubt', 'unresolved']);

/** The first doubts of a run, those that were perhaps paid twice first. */
export function shownDoubts({ run, rows }: Pick<FollowedRun, 'run' | 'rows'>): Doubts {
  const surfaced = surfacedDoubts(run).take(DOUBTS_SHOWN_MAX).toArray();
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
  for (const doubt of surfacedDoubts(run)) if (doubt.row === number) return doubt;
  return doubtIn(run.rows[rows.placeOf(number) ?? -1], run);
}

function doubtIn(row: RunRow | undefined, run: RunState): Doubt | null {
  const payout = row === undefined ? undefined : run.payouts.get(row.row);
  return row === undefined || payout === undefined ? null : doubtAt(run, row, payout);
}

/** What can be done here about a doubt, the harmless first. */
export function doubtActs(doubt: Doubt): DoubtAct[] {
  return doubt.choices.flatMap((choice) => {
    const { act, transaction } = choice;
    if (act === 'resubmit_absent') return [];
    return [{ act, transaction, ...choiceWords(doubt, choice, pageCommand('resume')) }];
  });
}

/** What can be done by command only: it sends whatever of the run is not listed, and not this payout alone. */
export function wholeRunActs(doubt: Doubt): ChoiceText[] {
  const choices = doubt.choices.filter(({ act }) => act === 'resubmit_absent');
  return choiceTexts({ ...doubt, choices }, plainCommand);
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
