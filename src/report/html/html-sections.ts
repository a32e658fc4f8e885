import { groupThousands } from '../../domain/money.ts';
import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { SinceOfRun } from '../../domain/run/since.ts';
import { isoUtc } from '../../domain/time.ts';
import { stoppedText } from '../../messages/stop-words.ts';
import { counted, listed } from '../../messages/text.ts';
import { type CommandLine, pageSteps } from '../command-line.ts';
import type { JsonFacts } from '../json.ts';
import { starterText } from '../model/actor-text.ts';
import { countsOf, phaseOf, REHEARSAL_BAND, standingOf } from '../model/outcome.ts';
import { progressPoints } from '../model/progress.ts';
import { feesOf, railTotalsOf, ratesOf } from '../model/rail-totals.ts';
import { sinceText } from '../model/since-words.ts';
import { headlineOf, leadOf } from '../model/summary-words.ts';
import { totalsOf } from '../model/totals.ts';
import { type UnpaidGroup, type UnpaidRow, unpaidGroups } from '../model/unpaid.ts';
import type { ReportedApproval } from '../report-result.ts';
import { type Column, commandHtml, factsHtml, momentHtml, tableHtml } from './html-parts.ts';
import { htmlText } from './html-text.ts';
import { statusBadge } from './look.ts';
import { outcomeLegend, outcomePicture, progressPicture } from './pictures.ts';

/** The band, what became of the run in words, and which run it is. */
export function introHtml(run: RunState, { retriedBy, since }: JsonFacts, command: CommandLine): string {
  const { header } = run;
  assert(header !== null, 'a report of a run that was never created');
  const lead = leadOf(run, since).map((sentence) => `<p>${htmlText(sentence)}</p>`);
  const stopped = stoppedText(run, command === pageSteps ? 'page' : 'command_line') ?? '';
  const job = header.job === null ? null : htmlText([header.job, header.period ?? ''].join(' ').trim());
  const retried = retriedBy.length === 0 ? null : htmlText(listed(retriedBy));
  return [
    '<div class="intro"><p class="soft">payrun report</p>',
    `<h1>${htmlText(headlineOf(run))}</h1><div class="lead">${lead.join('')}</div>`,
    stopped === '' ? '' : `<p>It stopped: ${htmlText(stopped)}</p>`,
    factsHtml([
      ['Run', `<span class="id">${htmlText(header.run_id)}</span>`],
      ['File', htmlText(header.input.name)],
      ['Job', job],
      ['Started', momentHtml(isoUtc(run.startedAt ?? run.createdAt))],
      [
        'Finished',
        run.finishedAt === null ? `not yet (${standingOf(run).replace('_', ' ')})` : momentHtml(isoUtc(run.finishedAt)),
      ],
      ['Retries rows of', header.retries === null ? null : htmlText(header.retries)],
      ['Retried by', retried],
    ]),
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

/** Each command once: most reasons have the same. */
function commandsHtml(groups: readonly UnpaidGroup[]): string {
  const commands = new Map(groups.flatMap(({ remedy }) => remedy.commands).map(({ command, does }) => [command, does]));
  const items = Array.from(commands, ([command, does]) => `<li>${commandHtml(command)}<p>${htmlText(does)}</p></li>`);
  return items.length === 0 ? '' : `<ul class="choices">${items.join('')}</ul>`;
}

/** A report stays as it is while other runs go on. */
function asOfHtml({ asOf }: SinceOfRun): string {
  return asOf === null ? '' : `; what is said here of them is as of ${momentHtml(isoUtc(asOf))}`;
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
  const rails = railTotalsOf(run);
  if (rails.length === 0) return '';
  const perCurrency = new Map<string, number>();
  for (const { currency } of rails) perCurrency.set(currency, (perCurrency.get(currency) ?? 0) + 1);
  const rows = rails.map(({ currency, rail, payouts, completed, planned, sent }) => [
    htmlText(currency),
    htmlText(rail ?? 'account named in the file'),
    groupThousands(String(payouts)),
    groupThousands(String(completed)),
    groupThousands(planned),
    groupThousands(sent),
  ]);
  for (const { currency, planned, sent } of totalsOf(run)) {
    if ((perCurrency.get(currency) ?? 0) < 2) continue;
    const of = rails.filter((total) => total.currency === currency);
    const [payouts, completed] = [sum(of.map((total) => total.payouts)), sum(of.map((total) => total.completed))];
    const figures = [payouts, completed].map((count) => groupThousands(String(count)));
    const strong = [...figures, groupThousands(planned), groupThousands(sent)].map(
      (text) => `<strong>${text}</strong>`,
    );
    rows.push([htmlText(currency), '<strong>all rails</strong>', ...strong]);
  }
  const columns: Column[] = [
    { title: 'Currency' },
    { title: 'Rail' },
    { title: 'Payouts', className: 'number' },
    { title: 'Completed', className: 'number' },
    { title: 'Planned', className: 'number' },
    { title: run.header?.rehearsal ? 'Sent in the rehearsal' : 'Sent', className: 'number' },
  ];
  return section('totals', 'Totals', tableHtml('Totals per currency and rail, in what payees receive', columns, rows));
}

/** What completed payouts cost, and at which rates currencies were exchanged. */
export function costsHtml(run: RunState): string {
  const fees = feesOf(run);
  const rates = ratesOf(run);
  const isPlanned = fees.some(({ planned }) => planned !== null);
  const feeRows = fees.map(({ currency, payouts, fees, planned }) => [
    htmlText(currency),
    groupThousands(String(payouts)),
    groupThousands(fees),
    ...(isPlanned ? [planned === null ? 'not told' : groupThousands(planned)] : []),
  ]);
  const rateRows = rates.map(({ from, to, planned, paid }) => [
    htmlText(`${from} to ${to}`),
    groupThousands(planned),
    paid === null ? 'none sent' : groupThousands(paid),
  ]);
  const number = { className: 'number' } as const;
  const feeColumns = ['Currency', 'Completed', 'Fees', ...(isPlanned ? ['Planned for all'] : [])].map((title, at) => ({
    title,
    ...(at > 0 && number),
  }));
  const rateColumns = [
    { title: 'From and to' },
    { title: 'Planned rate', ...number },
    { title: 'Rate paid', ...number },
  ];
  const feeTable =
    fees.length === 0 ? '' : tableHtml('Fees of completed payouts, in what was sent', feeColumns, feeRows);
  const rateTable =
    rates.length === 0
      ? ''
      : tableHtml('Rates: what one unit of the first currency brings of the second', rateColumns, rateRows);
  if (fees.length + rates.length === 0) return '';
  return section(
    'costs',
    rates.length === 0 ? 'Fees' : 'Fees and rates',
    `<div class="pair">${feeTable}${rateTable}</div>`,
  );
}

/** Who approved, when and how; and who started the run. */
export function approvalsHtml(run: RunState, { approvals }: JsonFacts): string {
  const policy = run.plan?.approval ?? null;
  const starter = starterText(run);
  const started = starter === null ? '' : `Started by ${starter}.`;
  const made = policy === null ? 'Nobody had to approve this run.' : `The plan was made by ${policy.preparer}.`;
  const words = `<p>${htmlText([made, started].join(' ').trim())}</p>`;
  if (approvals.length === 0) return section('approvals', 'Approvals', words);
  const columns = ['Approver', 'Signed', 'Account', 'Key (Ed25519)', 'Counts'].map((title) => ({
    title,
    ...(title.startsWith('Key') && { className: 'long' as const }),
  }));
  const rows = approvals.map(approvalCells);
  return section('approvals', 'Approvals', words + tableHtml('Approvals of the plan', columns, rows));
}

function approvalCells({
  approver,
  by,
  public_key,
  rows = [],
  signed_at,
  counts,
  why_not,
}: ReportedApproval): string[] {
  const withRows = rows.length === 0 ? '' : `, with ${counted(rows.length, 'row')} on new or changed accounts`;
  const verdict = counts ? `yes${withRows}` : `no: ${why_not ?? ''}`;
  return [
    htmlText(approver),
    momentHtml(signed_at),
    htmlText(by),
    `<span class="id">${htmlText(public_key)}</span>`,
    htmlText(verdict),
  ];
}

/** By what the report can be compared with the journal. */
export function proofHtml(run: RunState, { head, version }: JsonFacts, command: CommandLine): string {
  const { header } = run;
  assert(header !== null, 'a report of a run that was never created');
  const id = (text: string) => `<span class="id">${htmlText(text)}</span>`;
  return [
    '<div class="proof"><h2>Proof</h2>',
    `<p class="soft">This report was written from the journal up to entry ${groupThousands(String(head.n))}. Keep it where nobody who can write to the journal can write: the journal can be held against it${command === pageSteps ? ' by whoever operates payrun.' : ' with'}</p>`,
    command === pageSteps ? '' : commandHtml(command('verify', header.run_id)),
    factsHtml([
      ['Journal head', id(head.hash)],
      ['Digest of the plan', id(header.digest)],
      ['SHA-256 of the file', header.retries === null ? id(header.input.sha256) : null],
      ['Written by', htmlText(`payrun ${version}`)],
    ]),
    '</div>',
  ].join('');
}

function section(id: string, title: string, inner: string): string {
  return `<section aria-labelledby="${id}"><h2 id="${id}">${htmlText(title)}</h2>${inner}</section>`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
