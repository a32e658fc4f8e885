import type { AdviceToDo, DeliveryFault, DeliveryWay } from '../domain/outcomes/notice-outcome.ts';
import { Refusal } from '../domain/refusal.ts';
import type { CommandLine } from './command-line.ts';
import { refusalText } from './refusals/refusal.ts';
import { NO_COMMANDS } from './refusals/refusal-words.ts';
import { liveBand, rehearsalBand } from './report/outcome-words.ts';
import { counted, countsText, grouped, number, withoutStop } from './text.ts';
import { either, plural, t, textTable } from './translate.ts';

/** What a notice says: a subject, and the lines of a letter. */
export type Letter = { subject: string; lines: readonly string[] };

/** The letter as it is sent. A mail that is sorted by its subject has to say there, too, that no money moved. */
export function letterText({ subject, lines }: Letter, isRehearsal: boolean): { subject: string; text: string } {
  const text = [...(isRehearsal ? [`${rehearsalBand()}.`, ''] : []), ...lines].join('\n');
  return { subject: t`${either(isRehearsal, 'REHEARSAL: ', '')}payrun: ${subject}`, text: `${text}\n` };
}

/** The letter as the page mails it: in the words of its badges, so that a list of mails shows where real money moves. */
export function pageLetterText(letter: Letter, isRehearsal: boolean): { subject: string; text: string } {
  const { text } = letterText(letter, isRehearsal);
  const subject = `[${isRehearsal ? 'TEST' : 'LIVE'}] payrun: ${letter.subject}`;
  return { subject, text: isRehearsal ? text : `${liveBand()}.\n\n${text}` };
}

/** `needsPerson`: payouts are in doubt. `why` it stopped, in one line; the counts are by status. */
export type EndFacts = {
  runId: string;
  /** The job and period, or the file. */
  whose: string;
  input: string;
  payouts: number;
  isFinished: boolean;
  isCancelled: boolean;
  needsPerson: boolean;
  why: string | null;
  counts: Readonly<Record<string, number>>;
  totals: readonly { currency: string; planned: string; sent: string }[];
  doubtful: readonly number[];
  unpaid: readonly number[];
  /** Whether rows of it can be planned again. */
  hasRetryable: boolean;
  /** How many payees have their advice, and what is to be done about the others. */
  advice: { sent: number; toDo: readonly string[] } | null;
};

/** How a run ended: counts and totals, the numbers of the rows that somebody has to look at, and what to do. */
export function endLetter(facts: EndFacts, command: CommandLine): Letter {
  const { runId, whose, input, payouts, totals, advice } = facts;
  const table = totals.map(({ currency, planned, sent }) => [currency, grouped(planned), grouped(sent)]);
  const advised = advice === null || advice.toDo.length === 0 ? [] : [adviceSent(advice.sent), ...advice.toDo];
  return {
    subject: `${whose} ${endText({ ...facts, why: null })}`,
    lines: [
      t`Run ${runId} of ${whose} ${endText(facts)}.`,
      t`${counted(payouts, 'payout')} from ${input}.`,
      '',
      ...columns(table, [TITLES.currency, TITLES.planned, TITLES.sent]),
      '',
      ...nextLines(facts, command),
      ...advised,
      t`Details: ${command('show', runId)}`,
    ],
  };
}

/** Of the columns of a letter; `unknown` fees. */
const TITLES = textTable({
  currency: 'currency',
  payouts: 'payouts',
  planned: 'planned',
  sent: 'sent',
  fees: 'fees',
  unknown: 'unknown',
});

function endText({ isFinished, isCancelled, needsPerson, why, counts }: EndFacts): string {
  const needs = needsPerson ? t` and needs a person` : '';
  if (!isFinished) return t`stopped${needs}${why === null ? '' : `: ${why}`}`;
  return `${isCancelled ? t`was cancelled` : t`finished`}${needs}: ${countsText(counts)}`;
}

function nextLines(facts: EndFacts, command: CommandLine): string[] {
  const { runId, isFinished, needsPerson, doubtful, unpaid, hasRetryable } = facts;
  const lines: string[] = [];
  if (doubtful.length > 0)
    lines.push(
      t`In doubt: ${rowsText(doubtful)}. They may have been paid: pay none of them by other means before you have checked.`,
    );
  if (unpaid.length > 0) lines.push(t`Not paid: ${rowsText(unpaid)}.`);
  if (!isFinished || needsPerson) lines.push(t`Check again and continue: ${command('resume', runId)}`);
  else if (hasRetryable) lines.push(t`Plan again what was not paid: ${command('retry', runId)}`);
  return lines;
}

function adviceSent(sent: number): string {
  return t`Remittance advice: sent to ${counted(sent, 'payee')}.`;
}

/**
 * What a person of the page is notified of. `news` ends a sentence that begins with the payment's name; no fact names a payee
 * or an account.
 */
export function paymentLetter({ name, news, facts, url }: PaymentNews): Letter {
  return { subject: `${name} ${news}`, lines: [`${name} ${news}.`, ...facts, '', t`Open it: ${url}`] };
}

export type PaymentNews = { name: string; news: string; facts: readonly string[]; url: string };

/** A job that did not begin, or whose process had to stop. Message and remedy are lines without account numbers. */
export function refusedLetter(
  job: string,
  { isStopped, exit, lines }: { isStopped: boolean; exit: number; lines: readonly string[] },
): Letter {
  const how = t`${either(isStopped, 'stopped', 'did not start: nothing was sent')}`;
  return { subject: `${job} ${how}`, lines: [t`Job ${job} ${how} (exit ${exit}).`, '', ...lines] };
}

const SCHEDULE_NEWS = textTable({
  missed: 'was missed',
  gave_up: 'was discarded: nothing was sent',
  cut_off: 'was interrupted and needs a person',
  killed: 'was cancelled before it started',
  useless_plan: 'was not run: its plan cannot be run any more',
  planned: 'was missed: its plan waits',
});

export type ScheduleState = keyof typeof SCHEDULE_NEWS;

export function scheduleLetter(whose: string, state: ScheduleState, message: string): Letter {
  return { subject: `${whose} ${SCHEDULE_NEWS[state]}`, lines: [message] };
}

export type PlanFactsShown = {
  runId: string;
  whose: string;
  input: string;
  payouts: number;
  totals: readonly { currency: string; payouts: number; planned: string; fees: string | null }[];
  needed: number;
  /** Those that can approve it, in words. */
  approvers: string;
  preparer: string;
  digest: string;
  /** How many payouts go elsewhere than where their payee was last paid, and the first of their rows. */
  changed: { count: number; rows: readonly number[] };
  /** The run whose rows were corrected, where it is such a plan. */
  corrects: string | null;
};

/** That a plan waits for approvals: whose account details changed, how much, who approves it, and the literal command. */
export function planLetter(plan: PlanFactsShown, command: CommandLine): Letter {
  const { runId, whose, input, totals, needed, approvers, preparer, digest, changed, corrects } = plan;
  const payouts = String(counted(plan.payouts, 'payout'));
  const table = totals.map(({ currency, payouts, planned, fees }) => [
    ...[currency, String(payouts), grouped(planned)],
    fees === null ? TITLES.unknown : grouped(fees),
  ]);
  const alarm = changed.count === 0 ? '' : t`, BANK DETAILS CHANGED of ${number(changed.count)}`;
  const before = corrects === null ? '' : t`it was to go in ${corrects}, or where `;
  const changedLines = [
    t`BANK DETAILS CHANGED: ${counted(changed.count, 'payout')} would not go where ${before}the payee was last paid (${rowsText(changed.rows)}).`,
    t`Ask each payee, through a channel you already know, before you approve.`,
    '',
  ];
  return {
    subject: t`${whose} waits for approval: ${payouts}${alarm}`,
    lines: [
      t`Plan ${runId} of ${whose} waits for ${counted(needed, 'approval')}: ${payouts} from ${input}.`,
      t`Nothing is sent before that.`,
      '',
      ...(changed.count === 0 ? [] : changedLines),
      ...columns(table, [TITLES.currency, TITLES.payouts, TITLES.planned, TITLES.fees]),
      '',
      t`To be approved by ${approvers}; not by ${preparer}, who made the plan.`,
      t`Digest: ${digest}`,
      t`Approve it: ${command('approve', runId, '--key', 'FILE')}`,
      t`Look at it first: ${command('show', runId)}`,
    ],
  };
}

/** `again`: the command that sends what was not begun. */
export function adviceToDoText(toDo: AdviceToDo, again: string): string {
  switch (toDo.todo) {
    case 'resume': {
      const why = toDo.why === null ? t`it was stopped` : withoutStop(faultText(toDo.why));
      return t`${counted(toDo.payees, 'payee')} could not be notified by e-mail (${why}), which changes no payout. To notify them: ${again}`;
    }
    case 'notify_otherwise':
      return t`The mail server refused the e-mail to ${counted(toDo.rows.length, 'payee')} (${rowsText(toDo.rows)}). It is not sent again: notify them in another way.`;
    case 'ask_payees':
      return t`It is not known whether the e-mail to ${counted(toDo.rows.length, 'payee')} arrived (${rowsText(toDo.rows)}). It is not resent: ask them.`;
  }
}

/** `the e-mail to finance@example.org`. */
export function wayText(way: DeliveryWay): string {
  return way.way === 'email' ? t`the e-mail to ${way.to.join(', ')}` : t`the webhook to ${way.origin}`;
}

/** Why it was not delivered, and where a refusal knows it, what to do about it. */
export function faultText(fault: DeliveryFault): string {
  switch (fault.fault) {
    case 'noted':
      return fault.text === '' ? t`no reason was given` : fault.text;
    case 'recipients_refused':
      return t`the mail server refused ${fault.to.join(', ')}`;
    case 'answered': {
      const isRedirect = fault.status >= 300 && fault.status < 400;
      return isRedirect ? t`it answered with a redirect (${fault.status})` : t`it answered with ${fault.status}`;
    }
    case 'refused': {
      const { message, remedy } = refusalText(new Refusal(fault.reason), NO_COMMANDS);
      return `${message} ${remedy}`;
    }
    default:
      return FAULTS[fault.fault];
  }
}

const FAULTS = textTable({
  no_time: 'there was no time for it',
  no_answer: 'no answer',
  connection_closed: 'the server closed the connection',
  run_taken_over: 'the run was taken over',
});

/** Rows that are named in a letter. */
const ROWS_MAX = 20;

/** `rows 3, 5, 7`; of many the first, and how many more. */
export function rowsText(rows: readonly number[]): string {
  const more = rows.length - ROWS_MAX;
  const named = `${rows.slice(0, ROWS_MAX).join(', ')}${more > 0 ? t` and ${number(more)} more` : ''}`;
  return t`${plural(rows.length, 'row', 'rows')} ${named}`;
}

/** A table of texts for a letter: the first column to the left, figures to the right. */
function columns(rows: readonly (readonly string[])[], titles: readonly string[]): string[] {
  const all = [titles, ...rows];
  const widths = titles.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  return all.map((row) => {
    const cells = row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)));
    return `  ${cells.join('  ')}`.trimEnd();
  });
}
