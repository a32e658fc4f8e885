import { Hono } from 'hono';
import type { AuditEntry, AuditVerification } from '../../app/people/audit-log.ts';
import { messages } from '../../messages/messages.ts';
import { number } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { Recent, within } from '../once.ts';
import { approversPart } from '../plans/plan-parts.ts';
import { approverWarnings } from '../plans/standing.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { onRun, pageOf, whenRead } from '../runs/found-run.ts';
import { pageProof, runHead } from '../runs/run-head.ts';
import type { StoryPage } from '../runs/run-story.ts';
import { commentsOf, commentsPart } from '../runs/timeline.ts';
import { type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icon.ts';
import { answer, askedPage, patienceMs } from '../shell/layout.ts';
import { asksAgain, moment, pager, pathWith } from '../shell/parts.ts';
import { paymentName } from '../shell/words.ts';
import { verifyKeptProof } from '../sign-in/passkey-approval.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { type AuditLine, auditTable, type Proven } from './audit-table.ts';

const LINES_OF_A_PAGE = 100;
/** Activity of one run, shown beside its comments and journal. */
const LINES_OF_A_RUN = 50;
const ENTRIES_OF_A_PAGE = 100;

/** For how long a proof is shown to those who did not wait for it and ask once more; others have the journal proven anew. */
const OWED_MS = 10_000;
const PROOFS_MAX = 50;
/** Pages wait for the proof of a journal this short. Those of a longer one load before it is ready. */
const PROOF_PATIENCE_MS = 100;
const SHORT_ENTRIES = 10_000;

/** What everybody did, and whether the records of it are as they were written. */
export function auditRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const proofs = new JournalProofs();

  app.get('/audit', requireRole('approver', 'viewer', 'administrator'), async (context) => {
    const { web, person } = signedIn(context);
    const { entries, olderThan } = await entriesAsked(context, LINES_OF_A_PAGE);
    const seen = web.sight.of(person);
    const lines = await linesOf(web, await seen.entries(entries));
    const payments = new Map(
      (await seen.history()).map(({ summary }) => [summary.run_id, paymentName(summary.header)]),
    );
    const body = html`<div class="stack tight"><h1>Activity</h1>
<p class="soft small">Every action taken on this page. Each entry is chained to the one before, so none can be changed, removed or inserted unnoticed.</p></div>
${provenNotice(t`This log:`, auditProven(await web.audit.verify()))}
${lines.length === 0 ? html`<p class="empty">Nothing yet.</p>` : auditTable(lines, payments)}
${olderPart('/audit', olderThan)}`;
    return answer(context, { title: t`Activity`, here: 'activity', body });
  });

  app.get(
    '/runs/:run/audit',
    requireRole(...SEEING),
    whenRead,
    onRun(async (context, { followed: { run, runId, story } }) => {
      const { web, person } = signedIn(context);
      const { entries, olderThan } = await entriesAsked(context, LINES_OF_A_RUN, runId);
      const [journal, lines] = await Promise.all([
        proofs.look(context, runId),
        linesOf(web, entries, run.header?.digest ?? null),
      ]);
      const warnings = approversPart(await approverWarnings(web, run, person));
      const proof = await pageProof(web, run);
      const none = html`<p class="empty">No activity on this page.</p>`;
      const body = html`${runHead(run, proof, { tab: 'activity' })}
<section class="stack" aria-labelledby="proof"><h2 id="proof">Unchanged since it was written?</h2>
<div id="proven" role="status"${journal === null && asksAgain(`/runs/${runId}/audit`, 'proven')}>${journal === null ? provingNotice(runId) : provenNotice(t`The journal of this run:`, journal)}</div>
${provenNotice(t`The log of this page:`, auditProven(await web.audit.verify()))}</section>
<section class="stack" aria-labelledby="people"><h2 id="people">On this page</h2>
${warnings}
${lines.length === 0 ? none : auditTable(lines, null)}
${olderPart(`/runs/${runId}/audit`, olderThan)}</section>
${commentsPart(runId, await commentsOf(web, runId))}
${storyPart(runId, story.page(askedPage(context, 'journal'), ENTRIES_OF_A_PAGE, proof))}
<p><a href="/runs/${runId}">View payment</a></p>`;
      return answer(context, { ...pageOf(run), body });
    }),
  );

  return app;
}

/** Up to `limit` entries, newest first, before the one named in the address; of one run if given. */
async function entriesAsked(
  context: WebContext,
  limit: number,
  runId: string | null = null,
): Promise<{ entries: AuditEntry[]; olderThan: number | null }> {
  const asked = context.req.query('before') ?? '';
  const before = /^[1-9]\d{0,14}$/.test(asked) ? Number(asked) : null;
  const found = await context.var.web.audit.list({ before, runId, limit: limit + 1 });
  const entries = found.slice(0, limit);
  return { entries, olderThan: found.length > limit ? (entries.at(-1)?.n ?? null) : null };
}

/** A link to the entries before that number; null if there are none. */
function olderPart(path: string, olderThan: number | null): Html | null {
  if (olderThan === null) return null;
  return html`<nav class="pager" aria-label="Older entries"><a class="button" rel="next" href="${pathWith(path, { before: olderThan })}">Older</a></nav>`;
}

/** What happened to the run, by its journal. */
function storyPart(runId: string, { entries, single, more, ...pages }: StoryPage): Html {
  const singles = single.map(({ text, count }, at) => t`${at > 0 ? '; ' : ''}${count} times ${text}`);
  const path = (page: number) => `${pathWith(`/runs/${runId}/audit`, { journal: page })}#journal`;
  return html`<section class="stack" aria-labelledby="journal"><h2 id="journal">In the journal</h2>
<ol class="card story">${entries.map(({ n, at, text }) => html`<li><span class="soft small">${moment(at, 'exact')} <span class="id">${n}</span></span><span>${text}</span></li>`)}</ol>
${pager(t`Pages of the journal`, pages, path)}
${more > 0 && html`<p class="soft">and ${more} more</p>`}
${singles.length > 0 && html`<p class="soft small">And of single payouts and payees: ${singles}.</p>`}
</section>`;
}

function auditProven(verification: AuditVerification): Proven {
  if (!verification.ok) return { ok: false, text: t`was altered: ${faultText(verification)}.` };
  const { entries, hash } = verification;
  const words = entries === 1 ? t`1 entry` : t`${number(entries)} entries`;
  return { ok: true, text: t`${words}, none altered. The last has the hash ${hash.slice(0, 16)}…` };
}

function faultText({ n, fault }: Extract<AuditVerification, { ok: false }>): string {
  switch (fault.code) {
    case 'gap':
      return t`entry ${n} is missing: after ${n - 1} comes ${fault.next}`;
    case 'altered':
      return t`entry ${n} (${fault.act}) is not the one that was written: its hash differs`;
    case 'cut_off':
      return t`entry ${n} is missing: ${fault.written} were written`;
  }
}

function provenNotice(what: string, { ok, text }: Proven): Html {
  return html`<p class="${ok ? 'proven' : 'notice wrong'}"${!ok && html` role="alert"`}>${ok && icon('check')}<span><strong>${what}</strong> ${text}</span></p>`;
}

/**
 * Stands in the place of the notice until a long journal is proven. Only the notice is asked for again, and without script
 * nothing is: beside it somebody may be writing a comment.
 */
function provingNotice(runId: string): Html {
  return html`<p class="notice"><strong>The journal of this run:</strong> every entry is being checked, which takes some seconds for a long one.</p>
<noscript><p><a class="button" href="/runs/${runId}/audit">Look again</a></p></noscript>`;
}

/** The result; null if the check could not run. */
type Verified = Awaited<ReturnType<Web['deps']['calls']['verifyRun']>> | null;
type Proof = { verified: Promise<Verified>; provenAt: number | null; isOwed: boolean };

/** Whether the journals of runs are as they were written: proven in a thread, so that a long one keeps nobody waiting. */
class JournalProofs {
  readonly #known = new Recent<Proof>(PROOFS_MAX);

  /** The proof in words; null if it is not ready. Concurrent callers share one check. */
  async look(context: WebContext, runId: string): Promise<Proven | null> {
    const { web } = context.var;
    const { clock, reads } = web.deps;
    const n = (await reads.head(runId))?.n ?? 0;
    const key = `${runId} ${n}`;
    const known = this.#known.get(key);
    const isCurrent = ({ provenAt, isOwed }: Proof) =>
      provenAt === null || (isOwed && clock.monotonicMs() - provenAt < OWED_MS);
    const proof = known !== undefined && isCurrent(known) ? known : this.#begin(web, runId, key);
    const waitMs = n > SHORT_ENTRIES ? 0 : patienceMs(context, PROOF_PATIENCE_MS);
    const verified = await within(
      clock,
      proof.verified.then((value) => ({ value })),
      waitMs,
    );
    if (verified === null) proof.isOwed = true;
    return verified && journalProven(verified.value);
  }

  #begin(web: Web, runId: string, key: string): Proof {
    const proof: Proof = { verified: verify(web, runId), provenAt: null, isOwed: false };
    void proof.verified.then(() => {
      proof.provenAt = web.deps.clock.monotonicMs();
    });
    this.#known.set(key, proof);
    return proof;
  }
}

function verify({ deps }: Web, runId: string): Promise<Verified> {
  return deps.calls.verifyRun(runId).catch((error: unknown) => {
    deps.log.warn({ error, run: runId }, 'a run could not be proven');
    return null;
  });
}

function journalProven(verified: Verified): Proven {
  if (verified?.outcome !== 'verified') return { ok: false, text: t`could not be proven.` };
  const { verification, report } = verified;
  if (!verification.ok)
    return { ok: false, text: t`could not be proven: ${messages.damage.damageText(verification.damage)}.` };
  const { entries, head } = verification;
  const also = report?.outcome === 'witness' ? t` Its report notes the same.` : '';
  return { ok: true, text: t`${entries} entries, none altered. The last has the hash ${head.slice(0, 16)}…${also}` };
}

async function linesOf(web: Web, entries: readonly AuditEntry[], digest: string | null = null): Promise<AuditLine[]> {
  const names = new Map((await web.people.list()).map(({ id, name }) => [id, name]));
  const lines: AuditLine[] = [];
  for (const entry of entries) {
    const name = entry.person === null ? null : (names.get(entry.person) ?? entry.person);
    lines.push({
      ...entry,
      details: await named(web, names, entry.details),
      name,
      proof: await proofOf(entry, digest),
    });
  }
  return lines;
}

/** With the name of the person or the file that it is about, where only the id was written down. */
async function named(
  { uploads }: Web,
  names: ReadonlyMap<string, string>,
  details: AuditEntry['details'],
): Promise<AuditEntry['details']> {
  const { whom, upload } = details;
  if ('name' in details) return details;
  const name = typeof whom === 'string' ? names.get(whom) : undefined;
  const file = typeof upload === 'string' ? (await uploads.get(upload))?.name : undefined;
  return { name: name ?? file ?? null, ...details };
}

/** The passkey's signature over the plan, verified again. */
async function proofOf({ details }: AuditEntry, digest: string | null): Promise<Proven | null> {
  const kept = details.passkey;
  if (kept === null || kept === undefined) return null;
  const verified = await verifyKeptProof(kept);
  if (!verified.ok) return { ok: false, text: t`${verified.message} It proves nothing.` };
  const isThis = (digest === null || verified.parts.digest === digest) && verified.parts.digest === details.digest;
  return isThis
    ? { ok: true, text: t`Signed with a passkey; the signature was verified again now.` }
    : { ok: false, text: t`The passkey signed a different plan.` };
}
