import { Hono } from 'hono';
import type { Calls } from '../../../app/background/calls.ts';
import { assert, Refusal } from '../../../domain/refusal.ts';
import { listed } from '../../../messages/text.ts';
import { t } from '../../../messages/translate.ts';
import { type Refused, refusedBy } from '../../refused.ts';
import { requireRole } from '../../require-role.ts';
import { type Found, onRun, pageOf, toRun, whenRead } from '../../runs/found-run.ts';
import { pageProof, runHead } from '../../runs/run-head.ts';
import { html } from '../../shell/html.ts';
import { answer, errorPage } from '../../shell/layout.ts';
import { plainTotals } from '../../shell/words.ts';
import { notProven } from '../../sign-in/me.ts';
import { askForApproval, verifyApproval } from '../../sign-in/passkey-approval.ts';
import { passkeysHere } from '../../sign-in/passkeys.ts';
import { proveAgain } from '../../sign-in/prove.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../../web.ts';
import { newConnectionOf, whyNotOver } from '../new-connection.ts';
import { paidBeforeOf } from '../paid-before.ts';
import { seenExtras } from '../plan-view.ts';
import { capitalized, standingFor } from '../standing.ts';
import { showDecision } from './approve-page.ts';
import { NOTHING_TYPED, nothingDone, readDecision, type Waiting, type Wrong, wrongIn } from './decision.ts';

/** Approving a plan that somebody else made. */
export function approveRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const approves = requireRole('approver');
  app.get(
    '/runs/:run/approve',
    approves,
    whenRead,
    onWaiting((context, waiting) => showDecision(context, waiting, null, NOTHING_TYPED)),
  );
  app.post('/runs/:run/approve/passkey', approves, onWaiting(ask));
  app.post('/runs/:run/approve', approves, onWaiting(approve));
  return app;
}

/** Hands the plan to `act`, or shows why this person may not approve it. */
function onWaiting(act: (context: WebContext, waiting: Waiting) => Response | Promise<Response>) {
  return onRun(async (context, { followed }: Found) => {
    const { web, person } = signedIn(context);
    const { run, runId } = followed;
    const { plan: facts, header } = run;
    const standing = await standingFor(web, run, person);
    const { whyNot: ofPlan, rowsLeft: rows } = standing;
    const connection = await newConnectionOf(web, run);
    const over = ofPlan === null ? await whyNotOver(web, connection, person) : null;
    const whyNot = over === null ? ofPlan : { isOnHold: true, text: over };
    if (whyNot === null && facts !== null && header !== null) {
      const extras = await seenExtras(web, person, followed);
      return act(context, {
        runId,
        run,
        rowOf: (row) => followed.rowOf(row),
        facts,
        digest: header.digest,
        rows,
        extras,
        again: paidBeforeOf(extras),
        connection,
        standing,
      });
    }
    assert(whyNot !== null, 'a plan that can be approved, without its facts');
    if (context.req.path.endsWith('/passkey')) return context.json({ message: capitalized(whyNot.text) }, 409);
    const body = html`${runHead(run, await pageProof(web, run))}
<div class="notice ${whyNot.isOnHold ? 'wrong' : 'care'}"><p class="lead">You cannot approve this plan.</p><p>${capitalized(whyNot.text)}</p></div>
<p><a href="/runs/${runId}">Back to the plan</a></p>`;
    return answer(context, { ...pageOf(run), body }, 409);
  }, refuseUnseen);
}

/** Nobody approves what they do not see. */
async function refuseUnseen(context: WebContext, { followed: { run } }: Found): Promise<Response> {
  const { web, person } = signedIn(context);
  const able = listed((await standingFor(web, run, person)).standing.mayApprove);
  return errorPage(context, {
    status: 403,
    message: t`You cannot approve this payment because its names and amounts are hidden from you.`,
    remedy: t`${able === '' ? t`Nobody else can approve it now` : t`Can be approved by ${able}`}. An administrator can give you access to them under Team.`,
  });
}

/** For the page's script: what the person's passkey is to sign, null where they have none, or why not. */
async function ask(context: WebContext, waiting: Waiting): Promise<Response> {
  const { web, ...asked } = signedIn(context);
  const typed = await readDecision(context, waiting);
  const wrong = wrongIn(waiting, typed);
  if (wrong !== null) return context.json({ message: `${wrong.message} ${wrong.remedy}` }, 422);
  const proven = await proveAgain(web, asked.person, typed.password);
  if (!proven.ok) return notProven(context, proven);
  return context.json(await askForApproval(web, asked, waiting.runId, approvedOf(waiting)));
}

function approvedOf({ facts, digest }: Waiting) {
  return { digest, payouts: facts.payouts, totals: plainTotals(facts) };
}

/** Signs with the key that the password opens. The audit log keeps what the passkey signed. */
async function approve(context: WebContext, waiting: Waiting): Promise<Response> {
  const { web, ...asked } = signedIn(context);
  const { runId, run, digest, again } = waiting;
  const typed = await readDecision(context, waiting);
  const refuse = (wrong: Wrong) => showDecision(context, waiting, wrong, typed);
  const wrong = wrongIn(waiting, typed);
  if (wrong !== null) return refuse(wrong);
  const proven = await proveAgain(web, asked.person, typed.password);
  if (!proven.ok) return refuse({ ...proven, remedy: nothingDone() });
  const { person, passphrase } = proven;
  const signed =
    (await passkeysHere(web, person)).length > 0
      ? await verifyApproval(web, asked, runId, approvedOf(waiting), typed.credential)
      : { ok: true as const, proof: null };
  if (!signed.ok) return refuse({ message: signed.message, remedy: nothingDone() });
  const rows = waiting.rows.filter((row) => typed.row.includes(String(row)));
  const { comment, accounts_confirmed: confirmed } = typed;
  const by = { account: web.deps.account, person: {} };
  const refused = await web.people.withKey(person, (keyFile) =>
    refusalOf(web, { runId, digest, rows, comment, keyFile, passphrase, by }),
  );
  const details = {
    digest,
    total: run.plan === null ? [] : plainTotals(run.plan),
    comment,
    rows,
    passkey: signed.proof,
    ...(waiting.connection !== null && { connection_seen: waiting.connection.seen }),
    ...(/^\d{1,6}$/.test(confirmed) && { accounts_confirmed: Number(confirmed) }),
    ...(again !== null && { paid_before: { payouts: again.payouts, runs: again.runs } }),
    exit: refused === null ? 0 : refused.exit,
  };
  await web.audit.append({
    person: person.id,
    act: refused === null ? 'approved' : 'approval_refused',
    runId,
    details,
  });
  if (refused === null) return toRun(context, runId);
  return refuse({ message: refused.message, remedy: refused.exit === 1 ? refused.remedy : nothingDone() });
}

/** Null where it is approved; else why not. */
async function refusalOf({ deps }: Web, input: Parameters<Calls['approve']>[0]): Promise<Refused | null> {
  try {
    await deps.calls.approve(input);
    return null;
  } catch (thrown) {
    if (thrown instanceof Refusal)
      deps.log.warn({ run: input.runId, refused: thrown.reason }, 'an approval was refused');
    const log = (error: unknown) => deps.log.error({ run: input.runId, error }, 'an approval could not be written');
    return refusedBy(thrown, { message: t`The approval could not be written.`, remedy: t`Try again.` }, log);
  }
}
