import type { Counts } from '../../domain/entry.ts';
import { groupThousands } from '../../domain/money.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { NOTHING_SINCE, type SinceOfRun } from '../../domain/run/since.ts';
import { counted, listed } from '../../messages/text.ts';
import { countDoubts } from '../doubts/doubts.ts';
import { countsOf, phaseOf } from './outcome.ts';
import { sinceWords } from './since-words.ts';
import { totalsOf } from './totals.ts';

/** What became of a run in one line: `Paid 43 of 45 payouts`. A rehearsal never says that anybody was paid. */
export function headlineOf(run: RunState): string {
  const total = run.payouts.size;
  const { completed } = countsOf(run);
  if (phaseOf(run) === 'planned') return `Planned: ${counted(total, 'payout')}, none sent`;
  const all = total === 1 ? 'the payout' : `all ${number(total)} payouts`;
  const some = `${completed === 0 ? 'none' : number(completed)} of ${counted(total, 'payout')}`;
  const which = completed === total && total > 0 ? all : some;
  return run.header?.rehearsal ? `Rehearsal: ${which} completed` : `Paid ${which}`;
}

/** What needs somebody, loudest first, then what was sent and how long it took: sentences for people. */
export function leadOf(run: RunState, since = NOTHING_SINCE): string[] {
  const counts = countsOf(run);
  return [
    ...doubtWords(run),
    ...brokenPromiseWords(run),
    ...openWords(run, counts),
    ...unpaidWords(run, counts, since),
    ...sentWords(run),
  ];
}

function doubtWords(run: RunState): string[] {
  const doubts = countDoubts(run);
  if (doubts === 0) return [];
  const [need, them] = doubts === 1 ? ['needs', 'it'] : ['need', 'them'];
  return [
    `${number(doubts)} ${need} you: nobody may pay ${them} in another way before it is settled what became of ${them}.`,
  ];
}

/** A payment that was made after its deadline: what was called absent in this run may be made late too. */
export function brokenPromiseWords({ expiryBroken }: RunState): string[] {
  if (expiryBroken === null) return [];
  const { row, transaction_id, late_ms } = expiryBroken;
  return [
    `The service made ${transaction_id} (row ${row}) ${Math.ceil(late_ms / 1_000)} s after its deadline, which it promised not to do. Check its list for second payments of this run, and set enforces_expiry to false in the profile.`,
  ];
}

/** What is unresolved and in no doubt: not final yet, or not looked up after a cancellation. */
function openWords(run: RunState, { unresolved }: Counts): string[] {
  const surfaced = run.surfaced.length;
  const open = unresolved - (countDoubts(run) - surfaced);
  const words: string[] = [];
  if (open > 0) words.push(`${number(open)} ${open === 1 ? 'is' : 'are'} not final yet.`);
  if (run.cancelled) words.push('The run was cancelled: nothing more of it is sent.');
  else if (phaseOf(run) === 'running' || phaseOf(run) === 'stopped') words.push('The run is not finished.');
  return words;
}

function unpaidWords(run: RunState, { failed, rejected, not_submitted }: Counts, { rows }: SinceOfRun): string[] {
  if (phaseOf(run) === 'planned') return [];
  const refused = [
    ...(failed > 0 ? [`${number(failed)} failed`] : []),
    ...(rejected > 0 ? [`${number(rejected)} ${rejected === 1 ? 'was' : 'were'} rejected`] : []),
    ...(not_submitted > 0 ? [`${number(not_submitted)} ${not_submitted === 1 ? 'was' : 'were'} not submitted`] : []),
  ];
  if (refused.length === 0) return [];
  const total = failed + rejected + not_submitted;
  const since = sinceWords(rows, total, run);
  if (since === '') return [`${listed(refused)}: what to do about each is below.`];
  const left = total - rows.size;
  const others = left === 1 ? 'the other one' : `the other ${number(left)}`;
  return [`${listed(refused)}, ${since}.${left === 0 ? '' : ` What to do about ${others} is below.`}`];
}

/** Currencies that a sentence names; of more it says how many. */
const CURRENCIES_NAMED = 3;

function sentWords(run: RunState): string[] {
  const sent = totalsOf(run).filter(({ sent }) => /[1-9]/.test(sent));
  if (sent.length === 0) return [];
  const amounts = sent.map((total) => `${groupThousands(total.sent)} ${total.currency}`);
  const what = sent.length > CURRENCIES_NAMED ? `Payouts in ${sent.length} currencies` : listed(amounts);
  const was = sent.length === 1 ? 'was' : 'were';
  const took = run.finishedAt === null ? '' : `, in ${durationText(run.finishedAt - (run.startedAt ?? run.createdAt))}`;
  return [`${what} ${was} ${run.header?.rehearsal ? 'sent in the rehearsal' : 'sent'}${took}.`];
}

/** How long something took, in its two largest units: `6 min 53 s`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const from = parts.findIndex(([count]) => count > 0);
  if (from === -1) return 'less than a second';
  const shown = parts.slice(from, from + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

function number(count: number): string {
  return groupThousands(String(count));
}
