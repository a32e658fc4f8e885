import type { SinceOfRun } from '../../domain/run/since.ts';
import { isoUtc } from '../../domain/time.ts';
import { messages } from '../../messages/messages.ts';
import { grouped } from '../../messages/text.ts';
import { countsOf, phaseOf } from '../model/outcome.ts';
import { progressPoints } from '../model/progress.ts';
import { headerOf, isForPage, isRehearsal, type Report, type ReportedApproval } from '../model/report.ts';
import {
  type Cell,
  feesTable,
  headlineOf,
  leadOf,
  proofFacts,
  ratesTable,
  runFacts,
  type Table,
  totalsTable,
} from '../model/summary.ts';
import { railTotalsOf, totalsOf } from '../model/totals.ts';
import { actsOf, type UnpaidGroup, type UnpaidRow, unpaidGroups } from '../model/unpaid.ts';
import { choicesHtml, commandHtml, factsHtml, htmlText, momentHtml, section, tableHtml } from './html-parts.ts';
import { statusBadge } from './look.ts';
import { outcomeLegend, outcomePicture, progressPicture } from './pictures.ts';

/** What became of the run in words, and which run it is. */
export function introHtml(report: Report): string {
  const { run, since, sums } = report;
  const { headlineText, leadText, PAGE_TEXTS } = messages.summary;
  const lead = leadOf(run, since, sums).map((one) => `<p>${htmlText(leadText(one))}</p>`);
  const stopped = messages.stops.stoppedText(run, isForPage(report) ? 'page' : 'command_line');
  return [
    `<div class="intro"><p class="soft">${htmlText(PAGE_TEXTS.kind)}</p>`,
    `<h1>${htmlText(headlineText(headlineOf(run)))}</h1><div class="lead">${lead.join('')}</div>`,
    stopped === null ? '' : `<p>${htmlText(PAGE_TEXTS.stopped(stopped))}</p>`,
    factsHtml(runFacts(report)),
    '</div>',
  ].join('');
}

/** What nobody may overlook where no money moves; empty where it does. */
export function bandHtml({ run }: Report): string {
  return isRehearsal(run) ? `<p class="band">${htmlText(messages.outcomes.rehearsalBand())}</p>` : '';
}

export function picturesHtml({ run }: Report): string {
  const { PAGE_TEXTS } = messages.summary;
  const counts = countsOf(run);
  const progress = progressPicture(progressPoints(run), run.payouts.size);
  const card = (picture: string) => (picture === '' ? '' : `<div class="card">${picture}</div>`);
  const outcomes = section('outcomes-head', PAGE_TEXTS.outcomes, card(outcomePicture(counts) + outcomeLegend(counts)));
  return `<div class="pair">${outcomes}${section('progress-head', PAGE_TEXTS.progress, card(progress))}</div>`;
}

/** Why payouts are not completed, and what to do about each reason. */
export function unpaidHtml(report: Report): string {
  const { run, retriedBy, since, command } = report;
  const { PAGE_TEXTS, TABLES } = messages.summary;
  if (phaseOf(run) === 'planned') return '';
  const resume = command('resume', headerOf(run).run_id);
  const { groups, others } = unpaidGroups(run, (why) => messages.outcomes.outcomeText(why, resume), since);
  if (groups.length === 0) return '';
  const retried =
    retriedBy.length === 0
      ? ''
      : `<p>${htmlText(PAGE_TEXTS.retried(retriedBy))}${asOfHtml(since, PAGE_TEXTS.as_of)}.</p>`;
  const rest = others === 0 ? '' : `<p class="soft">${htmlText(PAGE_TEXTS.more_reasons(others))}</p>`;
  const acts = actsOf(groups).map((act) => messages.outcomes.actText(act, command));
  const parts = groups.map((group) => groupHtml(group, report)).join('');
  const card = `<div class="card">${parts}${rest}${choicesHtml(acts, report)}</div>`;
  return section('unpaid', TABLES.unpaid.heading, retried + card);
}

/** A report stays as it is while other runs go on. */
function asOfHtml({ asOf }: SinceOfRun, words: string): string {
  return asOf === null ? '' : `${words} ${momentHtml(isoUtc(asOf))}`;
}

function groupHtml({ status, code, message, remedy, payouts, first }: UnpaidGroup, report: Report): string {
  const { PAGE_TEXTS } = messages.summary;
  const left = payouts - first.length;
  const advice = messages.outcomes.adviceText(remedy);
  return [
    `<div class="group"><h3>${statusBadge(status)} ${htmlText(code)} <span class="count">${PAGE_TEXTS.payouts(payouts)}</span></h3>`,
    `<p>${htmlText(message)}</p>`,
    `<ul class="named">${first.map((row) => rowHtml(row, report)).join('')}</ul>`,
    left === 0 ? '' : `<p class="soft">${htmlText(PAGE_TEXTS.more_rows(left))}</p>`,
    advice === '' ? '' : `<p><strong>${htmlText(PAGE_TEXTS.what_to_do)}</strong> ${htmlText(advice)}</p>`,
    '</div>',
  ].join('');
}

function rowHtml({ row, payee, amount, currency, since }: UnpaidRow, { run }: Report): string {
  const sum = amount === null ? '' : `<span class="number">${htmlText(`${grouped(amount)} ${currency}`)}</span>`;
  const text = since === null ? '' : messages.outcomes.sinceText(since, isRehearsal(run));
  const became = text === '' ? '' : ` <span class="soft">${htmlText(text)}</span>`;
  const name = htmlText(messages.summary.PAGE_TEXTS.row(row));
  return `<li><span><span class="row">${name}</span> ${htmlText(payee)}${became}</span>${sum}</li>`;
}

/** Per currency and rail, then per currency where it has several rails. */
export function totalsHtml(report: Report): string {
  const { run, sums } = report;
  const rails = Map.groupBy(railTotalsOf(run, sums()), ({ currency }) => currency);
  const ofAllRails = totalsOf(run, sums()).flatMap(({ currency, planned, sent }) => {
    const totals = rails.get(currency) ?? [];
    if (totals.length < 2) return [];
    const counts = [sum(totals.map(({ payouts }) => payouts)), sum(totals.map(({ completed }) => completed))];
    const figures = [...counts.map(String), planned, sent].map(grouped);
    const texts = [messages.summary.CELL_TEXTS.all_rails, ...figures];
    return [[htmlText(currency), ...texts.map((text) => `<strong>${text}</strong>`)]];
  });
  return section('totals', messages.summary.TABLES.totals.heading, tableHtml(totalsTable(report), ofAllRails));
}

/** What completed payouts cost, and at which rates currencies were exchanged. */
export function costsHtml(report: Report): string {
  const { PAGE_TEXTS, TABLES } = messages.summary;
  const [fees, rates] = [feesTable(report), ratesTable(report)].map((table) => tableHtml(table));
  const heading = rates === '' ? TABLES.fees.heading : PAGE_TEXTS.costs;
  return section('costs', heading, fees || rates ? `<div class="pair">${fees}${rates}</div>` : '');
}

/** Who approved, when and how; and who started the run. */
export function approvalsHtml(report: Report): string {
  const { run, approvals } = report;
  const { PAGE_TEXTS, TABLES } = messages.summary;
  const policy = run.plan?.approval ?? null;
  const starter = messages.actors.starterText(run);
  const started = starter === null ? '' : PAGE_TEXTS.started_by(starter);
  const made = policy === null ? PAGE_TEXTS.not_approved : PAGE_TEXTS.made_by(policy.preparer);
  const table: Table = {
    table: 'approvals',
    columns: ['approver', 'signed', 'account', 'key', 'counts'],
    rows: approvals.map(approvalCells),
  };
  const inner = `<p>${htmlText([made, started].join(' ').trim())}</p>${tableHtml(table)}`;
  return section('approvals', TABLES.approvals.heading, inner);
}

function approvalCells(approval: ReportedApproval): Cell[] {
  const { approver, by, public_key, rows = [], signed_at, why_not: why } = approval;
  const { CELL_TEXTS } = messages.summary;
  const standing = why === null ? CELL_TEXTS.approved(rows.length) : CELL_TEXTS.void(messages.approvals.WHY_VOID[why]);
  return [{ text: approver }, { moment: signed_at }, { text: by }, { id: public_key }, { text: standing }];
}

/** By what the report can be compared with the journal. */
export function proofHtml(report: Report): string {
  const { run, head, command } = report;
  const { proof, written, by_operator, by_command } = messages.summary.PAGE_TEXTS;
  const isOnPage = isForPage(report);
  const entry = written(grouped(String(head.n)));
  return [
    `<div class="proof"><h2>${htmlText(proof)}</h2>`,
    `<p class="soft">${htmlText(`${entry}${isOnPage ? by_operator : by_command}`)}</p>`,
    isOnPage ? '' : commandHtml(command('verify', headerOf(run).run_id), report),
    factsHtml(proofFacts(report)),
    '</div>',
  ].join('');
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
