import type { PeopleParts } from '../../app/people/access.ts';
import { nameKey } from '../../app/people/people.ts';
import type { RunCreated } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { messages } from '../../messages/messages.ts';
import { counted, listed } from '../../messages/text.ts';
import { t, textTable } from '../../messages/translate.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { modeBadge } from '../shell/mode.ts';
import { count, moment, runLink, runLinks } from '../shell/parts.ts';
import { initials, paymentName, periodText } from '../shell/words.ts';

/** Something that a person does on the page to a run, as the audit log calls it; to one row of it where that is named. */
export type PageAct = { runId: string | null; act: string; row?: number };

/** Whether a person of this name did one of these on the page. */
export type PageProof = (person: string, acts: readonly PageAct[]) => boolean;

/** Every act on the page that a journal names a person for. */
const NAMED_ACTS = [
  ...[
    'planned',
    'retry_planned',
    'scheduled',
    'schedule_recalled',
    'started',
    'paused',
    'resumed',
    'cancelled',
    'rejected',
    'recalled',
    'resolved',
    'resubmitted_absent',
  ],
] as const;

/** By the page's own log: a name in the journal is only what a command was given. Of a run and those that it names. */
export async function pageProof(
  { audit, people }: Pick<PeopleParts, 'audit' | 'people'>,
  { header, replacedBy }: Pick<RunState, 'header' | 'replacedBy'>,
): Promise<PageProof> {
  const runIds = [header?.run_id, header?.retries, replacedBy].filter((runId) => runId != null);
  const [entries, everybody] = [await audit.ofRuns(runIds, NAMED_ACTS), await people.list()];
  const ids = new Map(everybody.map(({ id, name }) => [nameKey(name), id]));
  const done = new Set(entries.flatMap((entry) => [actKey(entry), actKey({ ...entry, row: entry.details.row })]));
  return (name, acts) => {
    const person = ids.get(nameKey(name));
    return person !== undefined && acts.some((act) => done.has(actKey({ ...act, person })));
  };
}

function actKey({
  person,
  runId,
  act,
  row,
}: {
  person: string | null;
  runId: string | null;
  act: string;
  row?: unknown;
}) {
  return JSON.stringify([person, runId, act, row ?? null]);
}

/** Whether it was started on the page by the person that it names. */
export function isStartProven({ header, startedOnPage: person }: RunState, proof: PageProof): boolean {
  return person !== null && proof(person, [{ runId: header?.run_id ?? null, act: 'started' }]);
}

/** The pages of a payment. */
const TABS = textTable(
  {
    payouts: { path: '', label: 'Payouts' },
    warnings: { path: '/warnings', label: 'Warnings' },
    activity: { path: '/audit', label: 'Activity' },
    files: { path: '/files', label: 'Files' },
    verification: { path: '/verification', label: 'Verification' },
  },
  ['path'],
);

type HeadShown = {
  /** The runs in which rows of it were planned again. */
  retriedBy?: readonly string[];
  /** Which of its pages this is; null on those that ask whether something is to be done. */
  tab?: keyof typeof TABS | null;
  /** How it stands, where that does not change while somebody looks. */
  status?: Html | null;
  /** What can be done now, where the page below does not say. */
  actions?: Html | null;
};

/** The payment's name, status and actions. `isLive`: replaces the head of an open page. */
export function nameLine(
  name: string,
  { status = null, actions = null }: Pick<HeadShown, 'status' | 'actions'>,
  isLive = false,
): Html {
  return html`<div class="head" id="payment-head"${isLive && html` hx-swap-oob="outerMorph"`}><div class="row"><h1>${name}</h1>${status}</div>${actions && html`<div class="row actions">${actions}</div>`}</div>`;
}

/** This many actions fit on a narrow screen. */
const ACTS_BESIDE = 2;

/** The actions, the next step last. If there are too many, all but that one are in a menu. */
export function actsPart(all: readonly Shown[]): Html | null {
  const acts = all.filter((act) => act !== null && act !== false && act !== undefined);
  if (acts.length === 0) return null;
  if (acts.length <= ACTS_BESIDE) return html`${acts}`;
  return html`<details class="more-acts"><summary class="button">More…</summary><div>${acts.slice(0, -1)}</div></details>${acts.at(-1)}`;
}

/** Where a payment stands: under its job, or its period, where it has these. Its id is under Verification. */
export function crumbs({ job, period, rehearsal }: Pick<RunCreated, 'job' | 'period' | 'rehearsal'>): Html {
  const kind = job ?? (period === null ? null : periodText(period)) ?? (rehearsal ? t`Rehearsals` : null);
  const list = html`<a href="/runs">Payments</a>`;
  return html`<p class="soft small crumbs">${list}${kind !== null && html` / ${kind}`}</p>`;
}

/** At most so many others are named; the rest are counted. */
const OTHERS_NAMED = 4;

/** Who else looks at it now. `isLive`: replaces that of an open page. */
export function viewersPart(others: readonly string[], isLive = false): Html {
  const names = others.slice(0, OTHERS_NAMED);
  const marks = names.map((name) => html`<span class="avatar" aria-hidden="true">${initials(name)}</span>`);
  const shown =
    names.length > 0 &&
    html`<span class="avatars">${marks}</span><span>${othersText(names, others.length - names.length)}</span>`;
  return html`<span class="viewers soft small" id="viewers"${isLive && html` hx-swap-oob="outerMorph"`}>${shown}</span>`;
}

function othersText(names: readonly string[], more: number): string {
  if (more > 0) return t`${names.join(', ')} and ${counted(more, 'other')} are viewing`;
  return names.length === 1 ? t`${names[0]} is viewing` : t`${listed(names)} are viewing`;
}

/** The payment's name, status, starter, related payments and tabs. */
export function runHead(run: RunState, proof: PageProof, shown: HeadShown = {}): Html {
  const { retriedBy = [], tab = null, status = null, actions = null } = shown;
  const { header } = run;
  assert(header !== null, 'a run without its header');
  const { run_id, input, retries, repeats } = header;
  const by = starter(run, proof);
  return html`<div class="stack tight payment-head">
${crumbs(header)}
${nameLine(paymentName(header), { status, actions })}
<div class="row meta">${modeBadge(header.rehearsal)}<span class="soft small">${counted(header.payouts, 'payout')}</span><p class="soft small">${input.name}, ${moment(run.startedAt ?? run.createdAt, 'sentence')}${by && t`, started ${by}`}. ${tab === null && html`<a href="/runs/${run_id}/audit">Activity</a>`}</p>${viewersPart([])}</div>
${repeats && html`<p><strong>It pays everyone in ${runLink(repeats)} again.</strong></p>`}
${retries && html`<p>It pays rows of ${runLink(retries)} again.</p>`}
${retriedBy.length > 0 && html`<p>Rows of it were planned again in ${runLinks(retriedBy)}.</p>`}
</div>
${tab !== null && tabsPart(run, tab)}`;
}

function tabsPart({ header, plan }: RunState, here: keyof typeof TABS): Html {
  const counts: Partial<Record<keyof typeof TABS, number>> = { payouts: header?.payouts, warnings: plan?.warnings };
  const links = (Object.keys(TABS) as (keyof typeof TABS)[]).map((tab) => {
    const { path, label } = TABS[tab];
    const number = counts[tab] ?? 0;
    return html`<a href="/runs/${header?.run_id}${path}"${tab === here && html` aria-current="page"`}>${label}${number > 0 && html` <span class="tag">${count(number)}</span>`}</a>`;
  });
  return html`<nav class="tabs" aria-label="Pages of this payment">${links}</nav>`;
}

/** The name alone where it was on the page; an account, and the person that it names, where it was not; null before that. */
export function starterText(run: RunState, proof: PageProof): string | null {
  if (run.startedOnPage === null) return run.startedBy;
  return isStartProven(run, proof) ? run.startedOnPage : messages.actors.starterText(run, false);
}

function starter(run: RunState, proof: PageProof): string | null {
  const who = starterText(run, proof);
  return who && `${run.startedOnPage === null ? t`from` : t`by`} ${who}`;
}
