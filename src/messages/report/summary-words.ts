import type { Headline, LeadFact } from '../../domain/outcomes/payout-outcome.ts';
import type { RunStanding } from '../../domain/run/run-state.ts';
import { endedText } from '../note-words.ts';
import { counted, grouped, listed, number } from '../text.ts';
import { either, plural, t, textTable } from '../translate.ts';
import { viewer } from '../viewer.ts';
import { sinceCountsText } from './outcome-words.ts';

/** What became of a run in one line: `Paid 43 of 45 payouts`. A rehearsal never says that anybody was paid. */
export function headlineText({ total, completed, isPlanned, isRehearsal }: Headline): string {
  if (isPlanned) return t`Planned: ${counted(total, 'payout')}, none sent`;
  const all = total === 1 ? t`the payout` : t`all ${number(total)} payouts`;
  const some = t`${completed === 0 ? t`none` : number(completed)} of ${counted(total, 'payout')}`;
  const which = completed === total && total > 0 ? all : some;
  return isRehearsal ? t`Rehearsal: ${which} completed` : t`Paid ${which}`;
}

/** Currencies that a sentence names; of more it says how many. */
const CURRENCIES_NAMED = 3;

export function leadText(lead: LeadFact): string {
  switch (lead.fact) {
    case 'doubts':
      return t`${plural(
        lead.count,
        '# needs you: do not pay it by other means until its outcome is known.',
        '# need you: do not pay them by other means until their outcome is known.',
      )}`;
    case 'promise_broken':
      return t`The service made ${lead.transactionId} (row ${lead.row}) ${Math.ceil(lead.lateMs / 1_000)} s after its deadline, which it promised not to do. Check its list for second payments of this run, and set enforces_expiry to false in the profile.`;
    case 'not_final':
      return t`${plural(lead.count, '# is not final yet.', '# are not final yet.')}`;
    case 'cancelled':
      return t`The run was cancelled. Nothing more is sent.`;
    case 'plan_over':
      return lead.end === null ? t`The plan was discarded before it started.` : endedText(lead.end);
    case 'unfinished':
      return t`The run is not finished.`;
    case 'returned':
      return t`${counted(lead.count, 'completed payout')} came back: the bank returned ${plural(lead.count, 'it', 'them')}.`;
    case 'not_paid':
      return notPaidText(lead);
    case 'sent': {
      const { sums, isRehearsal, tookMs } = lead;
      const amounts = sums.map(({ amount, currency }) => `${grouped(amount)} ${currency}`);
      const what = sums.length > CURRENCIES_NAMED ? t`Payouts in ${sums.length} currencies` : listed(amounts);
      const took = tookMs === null ? '' : t`, in ${durationText(tookMs)}`;
      return t`${what} ${plural(sums.length, 'was', 'were')} sent${either(isRehearsal, ' in the rehearsal', '')}${took}.`;
    }
  }
}

function notPaidText(lead: Extract<LeadFact, { fact: 'not_paid' }>): string {
  const { failed, rejected, notSubmitted, since, isRehearsal } = lead;
  const parts = [
    failed > 0 ? t`${plural(failed, '# failed', '# failed')}` : '',
    rejected > 0 ? t`${plural(rejected, '# was rejected', '# were rejected')}` : '',
    notSubmitted > 0 ? t`${plural(notSubmitted, '# was not submitted', '# were not submitted')}` : '',
  ];
  const which = listed(parts.filter((part) => part !== ''));
  const total = failed + rejected + notSubmitted;
  const became = sinceCountsText(since, total, isRehearsal);
  if (became === '') return t`${which}: what to do about each is below.`;
  const left = total - since.paid - since.under_way - since.planned;
  const others = left === 1 ? t`the other one` : t`the other ${number(left)}`;
  return `${which}, ${became}.${left === 0 ? '' : t` What to do about ${others} is below.`}`;
}

/** How long something took, in its two largest units: `6 min 53 s`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const parts = [
    [Math.floor(seconds / 86_400), (days: number) => t`${days} d`],
    [Math.floor(seconds / 3_600) % 24, (hours: number) => `${hours} h`],
    [Math.floor(seconds / 60) % 60, (minutes: number) => t`${minutes} min`],
    [seconds % 60, (rest: number) => `${rest} s`],
  ] as const;
  const from = parts.findIndex(([count]) => count > 0);
  if (from === -1) return t`less than a second`;
  const shown = parts.slice(from, from + 2).filter(([count]) => count > 0);
  return shown.map(([count, text]) => text(count)).join(' ');
}

/** Terms of facts about a run. */
export const FACT_TERMS = textTable({
  run: 'Run',
  file: 'File',
  job: 'Job',
  scheduled: 'Scheduled for',
  started: 'Started',
  finished: 'Finished',
  retries: 'Retries rows of',
  retried_by: 'Retried by',
  started_by: 'Started by',
  show: 'All about each',
  entries: 'Journal entries',
  head: 'Journal head',
  digest: 'Digest of the plan',
  sha256: 'SHA-256 of the file',
  version: 'Written by',
  compare: 'Compare with',
});

/** `caption`: what its figures are. */
export const TABLES = textTable({
  totals: { heading: 'Totals', caption: 'Totals per currency and rail, in what payees receive' },
  fees: { heading: 'Fees', caption: 'Fees of completed payouts, in the currency sent' },
  rates: { heading: 'Rates', caption: 'Rates: one unit of the first currency in the second' },
  approvals: { heading: 'Approvals', caption: 'Approvals of the plan' },
  unpaid: { heading: 'Not paid, and what to do', caption: 'Payouts that were not paid' },
  doubts: { heading: 'Needs you', caption: 'Payouts in doubt' },
});

export const COLUMN_TITLES = textTable({
  currency: 'Currency',
  rail: 'Rail',
  payouts: 'Payouts',
  completed: 'Completed',
  planned: 'Planned',
  sent: 'Sent',
  rehearsed: 'Sent in the rehearsal',
  fees: 'Fees',
  planned_fees: 'Planned for all',
  pair: 'From and to',
  planned_rate: 'Planned rate',
  paid_rate: 'Rate paid',
  approver: 'Approver',
  signed: 'Signed',
  account: 'Account',
  key: 'Key (Ed25519)',
  counts: 'Counts',
  outcome: 'Outcome',
  reason: 'Reason',
  remedy: 'What to do',
  what: 'What',
  payee: 'Payee',
  row: 'Row',
  amount: 'Amount',
  to: 'To',
  fee: 'Fee',
  get finished() {
    return t`Finished (${viewer().timeZone})`;
  },
  details: 'Details',
});

const NOT_YET: Readonly<Record<RunStanding, string>> = textTable({
  planned: 'not yet (planned)',
  running: 'not yet (running)',
  stopped: 'not yet (stopped)',
  finished: 'not yet (finished)',
  paused: 'not yet (paused)',
  cancelled: 'not yet (cancelled)',
  needs_decision: 'not yet (needs decision)',
});

/** What stands in cells and facts in place of a figure, or around one. */
export const CELL_TEXTS = textTable({
  unfinished: (standing: RunStanding) => NOT_YET[standing],
  no_rail: 'account named in the file',
  all_rails: 'all rails',
  not_stated: 'not stated',
  none_sent: 'none sent',
  pair: (from: string, to: string) => t`${from} to ${to}`,
  approved: (rows: number) => (rows === 0 ? t`yes` : t`yes, with ${counted(rows, 'row')} on new or changed accounts`),
  counts: 'counts',
  void: (why: string) => t`no: ${why}`,
  from: (amount: string) => t`from ${amount}`,
  on_chain: (chain: string) => t`on ${chain}`,
  see_doubts: 'In doubt: see above',
  since: (row: number, became: string) => t`Row ${row} ${became}.`,
  and_others: 'And others.',
  rows_left: (left: number) => t`A spreadsheet cannot hold more rows. The last ${left} are in report.csv only.`,
});

/** Everything else on the page of a report. */
export const PAGE_TEXTS = textTable({
  kind: 'payrun report',
  stopped: (why: string) => t`It stopped: ${why}`,
  outcomes: 'Outcomes',
  get progress() {
    return t`Progress, in ${viewer().timeZone}`;
  },
  retried: (runs: readonly string[]) => t`Rows of this run were planned again in ${listed(runs)}`,
  as_of: '; as of',
  payouts: (count: number) => counted(count, 'payout'),
  more_reasons: (count: number) => t`${counted(count, 'more payout')} for other reasons: see the rows.`,
  more_rows: (count: number) => t`and ${counted(count, 'more payout')}, in the rows below`,
  what_to_do: 'What to do:',
  row: (row: number) => t`Row ${row}`,
  costs: 'Fees and rates',
  started_by: (starter: string) => t`Started by ${starter}.`,
  not_approved: 'This run needed no approval.',
  made_by: (preparer: string) => t`The plan was made by ${preparer}.`,
  proof: 'Proof',
  written: (entry: string) =>
    t`This report was written from the journal up to entry ${entry}. Keep it where nobody who can write to the journal can write: the journal can be held against it`,
  by_operator: ' by the person who operates payrun.',
  by_command: ' with',
  rows: 'All rows',
  rows_caption: 'The payouts of this run in the order of the file',
});

/** Which rows of a large run a page shows. `open` are not completed. */
export function shownRowsText(total: number, open: number, shown: { open: number; completed: number }): string {
  if (shown.open + shown.completed === total)
    return t`${counted(total, 'row')}, account numbers masked. report.csv and report.xlsx have every column of the file.`;
  const rest = shown.completed === 0 ? '' : t` and the first ${counted(shown.completed, 'completed one')}`;
  return t`Of ${counted(total, 'row')} this page shows ${either(shown.open === open, 'all', 'the first')} ${counted(shown.open, 'row')} not completed${rest}, so that it stays quick. All of them stand in report.csv and report.xlsx, with every column of the file.`;
}
