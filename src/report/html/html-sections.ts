import { groupThousands } from '../../domain/money.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { SinceOfRun } from '../../domain/run/since.ts';
import { isoUtc } from '../../domain/time.ts';
import { stoppedText } from '../../messages/stop-words.ts';
import { counted, listed } from '../../messages/text.ts';
import { type CommandLine, pageSteps } from '../command-line.ts';
import type { JsonFacts } from '../json.ts';
import { starterText } from '../model/actor-text.ts';
import { countsOf, phaseOf, REHEARSAL_BAND } from '../model/outcome.ts';
import { progressPoints } from '../model/progress.ts';
import { sinceText } from '../model/since-words.ts';
import { type Cell, commandsOf, feesTable, proofFacts, ratesTable, runFacts, totalsTable } from '../model/summary.ts';
import { headlineOf, leadOf } from '../model/summary-words.ts';
import { railTotalsOf, totalsOf } from '../model/totals.ts';
import { type UnpaidGroup, type UnpaidRow, unpaidGroups } from '../model/unpaid.ts';
import type { ReportedApproval } from '../report-result.ts';
import { commandHtml, factsHtml, momentHtml, tableHtml } from './html-parts.ts';
import { htmlText } from './html-text.ts';
import { statusBadge } from './look.ts';
import { outcomeLegend, outcomePicture, progressPicture } from './pictures.ts';

/** The band, what became of the run in words, and which run it is. */
export function introHtml(run: RunState, { retriedBy, since }: JsonFacts, command: CommandLine): string {
  const lead = leadOf(run, since).map((sentence) => `<p>${htmlText(sentence)}</p>`);
  const stopped = stoppedText(run, command === pageSteps ? 'page' : 'command_line') ?? '';
  return [
    '<div class="intro"><p class="soft">payrun report</p>',
    `<h1>${htmlText(headlineOf(run))}</h1><div class="lead">${lead.join('')}</div>`,
    stopped === '' ? '' : `<p>It stopped: ${htmlText(stopped)}</p>`,
    factsHtml(runFacts(run, retriedBy)),
    '</div>',
  ].join('');
}

/** What nobody may overlook where no money moves; empty where it does. */
export function bandHtml(run: RunState): string {
  return run.header?.rehearsal ? `<p class="band">${htmlText(REHEARSAL_BAND)}</p>` : '';
}

export function picturesHtml(run: RunState): string {
  const counts = countsOf(run);
  const progress = progressPicture(progressPoints(run), run.payouts.size);
  return [
    '<div class="pair"><section aria-labelledby="outcomes-head"><h2 id="outcomes-head">Outcomes</h2>',
    `<div class="card">${outcomePicture(counts)}${outcomeLegend(counts)}</div></section>`,
    progress === ''
      ? ''
      : `<section aria-labelledby="progress-head"><h2 id="progress-head">Progress, in UTC</h2><div class="card">${progress}</div></section>`,
    '</div>',
  ].join('');
}

/** Why payouts are not completed, and what to do about each reason. */
export function unpaidHtml(run: RunState, { retriedBy, since }: JsonFacts, command: CommandLine): string {
  if (phaseOf(run) === 'planned') return '';
  const { groups, others } = unpaidGroups(run, command, since);
  if (groups.length === 0) return '';
  const retried =
    retriedBy.length === 0
      ? ''
      : `<p>Rows of this run were planned again in ${htmlText(listed(retriedBy))}${asOfHtml(since)}.</p>`;
  const rest =
    others === 0 ? '' : `<p class="soft">${counted(others, 'payout')} more for other reasons: see the rows.</p>`;
  return `<section aria-labelledby="unpaid"><h2 id="unpaid">Not paid, and what to do</h2>${retried}<div class="card">${groups.map((group) => groupHtml(run, group)).join('')}${rest}${commandsHtml(groups)}</div></section>`;
}

function commandsHtml(groups: readonly UnpaidGroup[]): string {
  const items = Array.from(
    commandsOf(groups),
    ([command, does]) => `<li>${commandHtml(command)}<p>${htmlText(does)}</p></li>`,
  );
  return items.length === 0 ? '' : `<ul class="choices">${items.join('')}</ul>`;
}

/** A report stays as it is while other runs go on. */
function asOfHtml({ asOf }: SinceOfRun): string {
  return asOf === null ? '' : `; as of ${momentHtml(isoUtc(asOf))}`;
}

function groupHtml(run: RunState, { status, code, message, remedy, payouts, first }: UnpaidGroup): string {
  const left = payouts - first.length;
  return [
    `<div class="group"><h3>${statusBadge(status)} ${htmlText(code)} <span class="count">${counted(payouts, 'payout')}</span></h3>`,
    `<p>${htmlText(message)}</p>`,
    `<ul class="named">${first.map((row) => rowHtml(run, row)).join('')}</ul>`,
    left === 0 ? '' : `<p class="soft">and ${counted(left, 'more payout')}, in the rows below</p>`,
    remedy.advice === '' ? '' : `<p><strong>What to do:</strong> ${htmlText(remedy.advice)}</p>`,
    '</div>',
  ].join('');
}

function rowHtml(run: RunState, { row, payee, amount, currency, since }: UnpaidRow): string {
  const sum = amount === null ? '' : `<span class="number">${htmlText(`${groupThousands(amount)} ${currency}`)}</span>`;
  const became = since === null ? '' : ` <span class="soft">${htmlText(sinceText(since, run))}</span>`;
  return `<li><span><span class="row">Row ${row}</span> ${htmlText(payee)}${became}</span>${sum}</li>`;
}

/** Per currency and rail, then per currency where it has several rails. */
export function totalsHtml(run: RunState): string {
  const rails = Map.groupBy(railTotalsOf(run), ({ currency }) => currency);
  const ofAllRails = totalsOf(run).flatMap(({ currency, planned, sent }) => {
    const totals = rails.get(currency) ?? [];
    if (totals.length < 2) return [];
    const counts = [sum(totals.map(({ payouts }) => payouts)), sum(totals.map(({ completed }) => completed))];
    const figures = [...counts.map(String), planned, sent].map(groupThousands);
    return [[htmlText(currency), ...['all rails', ...figures].map((text) => `<strong>${text}</strong>`)]];
  });
  const table = totalsTable(run);
  return section('totals', table.heading, tableHtml(table, ofAllRails));
}

/** What completed payouts cost, and at which rates currencies were exchanged. */
export function costsHtml(run: RunState): string {
  const [fees, rates] = [feesTable(run), ratesTable(run)].map((table) => tableHtml(table));
  const heading = rates === '' ? 'Fees' : 'Fees and rates';
  return section('costs', heading, fees || rates ? `<div class="pair">${fees}${rates}</div>` : '');
}

/** Who approved, when and how; and who started the run. */
export function approvalsHtml(run: RunState, { approvals }: JsonFacts): string {
  const policy = run.plan?.approval ?? null;
  const starter = starterText(run);
  const started = starter === null ? '' : `Started by ${starter}.`;
  const made = policy === null ? 'Nobody had to approve this run.' : `The plan was made by ${policy.preparer}.`;
  const words = `<p>${htmlText([made, started].join(' ').trim())}</p>`;
  const table = {
    heading: 'Approvals',
    caption: 'Approvals of the plan',
    columns: ['Approver', 'Signed', 'Account', 'Key (Ed25519)', 'Counts'],
    rows: approvals.map(approvalCells),
  };
  return section('approvals', table.heading, words + tableHtml(table));
}

function approvalCells({ approver, by, public_key, rows = [], signed_at, counts, why_not }: ReportedApproval): Cell[] {
  const withRows = rows.length === 0 ? '' : `, with ${counted(rows.length, 'row')} on new or changed accounts`;
  const standing = counts ? `yes${withRows}` : `no: ${why_not ?? ''}`;
  return [{ text: approver }, { moment: signed_at }, { text: by }, { id: public_key }, { text: standing }];
}

/** By what the report can be compared with the journal. */
export function proofHtml(run: RunState, facts: JsonFacts, command: CommandLine): string {
  const isOnPage = command === pageSteps;
  return [
    '<div class="proof"><h2>Proof</h2>',
    `<p class="soft">This report was written from the journal up to entry ${groupThousands(String(facts.head.n))}. Keep it where nobody who can write to the journal can write: the journal can be held against it${isOnPage ? ' by whoever operates payrun.' : ' with'}</p>`,
    isOnPage ? '' : commandHtml(command('verify', run.header?.run_id ?? '')),
    factsHtml(proofFacts(run, facts)),
    '</div>',
  ].join('');
}

function section(id: string, title: string, inner: string): string {
  return inner === ''
    ? ''
    : `<section aria-labelledby="${id}"><h2 id="${id}">${htmlText(title)}</h2>${inner}</section>`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
