import type { PeopleParts } from '../../app/people/access.ts';
import { nameKey } from '../../app/people/people.ts';
import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { messages } from '../../messages/messages.ts';
import { type Html, html } from '../shell/html.ts';
import { moment, runLink, runLinks } from '../shell/parts.ts';
import { paymentName } from '../shell/words.ts';

/** Something that a person does on the page to a run, as the audit log calls it; to one row of it where that is named. */
export type PageAct = { runId: string | null; act: string; row?: number };

/** Whether a person of this name did one of these on the page. */
export type PageProof = (person: string, acts: readonly PageAct[]) => boolean;

/** Every act on the page that a journal names a person for. */
const NAMED_ACTS = [
  ...[
    'planned',
    'retry_planned',
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

/** Which run it is, who started it, and how it is related to others. */
export function runHead(run: RunState, proof: PageProof, retriedBy: readonly string[] = []): Html {
  const { header } = run;
  assert(header !== null, 'a run without its header');
  const { run_id, input, retries, repeats } = header;
  const by = starter(run, proof);
  return html`<div class="stack tight">
<p class="soft small crumbs"><a href="/runs">Payments</a> / <span class="id">${run_id}</span></p>
<h1>${paymentName(header)}</h1>
<p class="soft small">${input.name}, ${moment(run.startedAt ?? run.createdAt)}${by && `, started ${by}`}. <a href="/runs/${run_id}/audit">Activity</a></p>
${repeats && html`<p><strong>It pays everybody of ${runLink(repeats)} once more.</strong></p>`}
${retries && html`<p>It pays rows of ${runLink(retries)} again.</p>`}
${retriedBy.length > 0 && html`<p>Rows of it were planned again in ${runLinks(retriedBy)}.</p>`}
</div>`;
}

/** The name alone where it was on the page; else it comes after the account, which could have written any. */
function starter(run: RunState, proof: PageProof): string | null {
  const { startedBy, startedOnPage } = run;
  if (startedBy === null) return null;
  if (startedOnPage === null) return `from ${startedBy}`;
  return `by ${isStartProven(run, proof) ? startedOnPage : messages.actors.starterText(run, false)}`;
}
