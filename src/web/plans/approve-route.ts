import { Hono } from 'hono';
import type { Calls } from '../../app/background/calls.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import { REFUSAL_EXIT, type RefusalKind } from '../../domain/refusals/kinds.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { approveWords } from '../../messages/approve-words.ts';
import { NO_COMMANDS, refusalOnPage } from '../../messages/refusals/refusal.ts';
import { onPage } from '../../messages/refusals/refusal-words.ts';
import { listed } from '../../messages/text.ts';
import { pageProof } from '../audit/page-proof.ts';
import { requireRole } from '../require-role.ts';
import type { FollowedRun } from '../runs/followed-run.ts';
import { begin, findRun, noSuchRun, pageOf, whenRead } from '../runs/found-run.ts';
import { answer } from '../shell/layout.ts';
import { askForApproval, verifyApproval } from '../sign-in/passkey-approval.ts';
import { passkeysHere } from '../sign-in/passkeys.ts';
import { proveAgain } from '../sign-in/prove.ts';
import { field, signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { isFirstTotal, shownFirstTotal, shownTotals, totalTexts } from './amounts.ts';
import { approvePage, cannotApprovePage } from './approve-page.ts';
import { knownToAll, type PaidBefore, paidBeforeOf } from './plan-view.ts';
import { goneOf, overtakenBy, overtakenText, ownLinks, rowsLeft, standingOf, whyNotApprove } from './standing.ts';

/** A plan whose header and facts are there, and which this person may approve. */
type Waiting = { followed: FollowedRun; run: RunState; facts: PlanFacts; digest: string; rows: number[] };

/** What somebody filled in. */
type Given = { total: string; rows: number[]; paidBefore: string; password: string; credential: string };

type Wrong = { what: string; remedy: string; retryAfterSeconds?: number | null };

const NOTHING_DONE = 'Nothing was approved.';

function wrongTotal(facts: PlanFacts): Wrong {
  const example = shownFirstTotal(facts);
  return {
    what: 'That is not the total.',
    remedy: `Look at it again, and type it as it stands here: ${example}. ${NOTHING_DONE}`,
  };
}

/** What somebody did not tick who would pay people once more, or ticked before there were as many. */
function notTicked({ payouts, runs, how }: PaidBefore): Wrong {
  const what = `${payouts.toLocaleString('en')} of these payouts ${how} by ${listed(runs)}.`;
  return { what, remedy: `Approve them only where they are to be paid once more, and say so below. ${NOTHING_DONE}` };
}

/** Approving a plan that somebody else made, and starting one that is approved. */
export function approveRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const approves = requireRole('approver');
  app.get('/runs/:run/approve', approves, whenRead, (context) =>
    withWaiting(context, (waiting) => show(context, waiting, null)),
  );
  app.post('/runs/:run/approve/passkey', approves, (context) =>
    withWaiting(context, (waiting) => ask(context, waiting)),
  );
  app.post('/runs/:run/approve', approves, (context) => withWaiting(context, (waiting) => approve(context, waiting)));
  app.post('/runs/:run/start', requireRole('preparer'), start);
  return app;
}

async function withWaiting(context: WebContext, act: (waiting: Waiting) => Promise<Response>): Promise<Response> {
  const found = await findRun(context);
  if (found === null) return noSuchRun(context);
  const { followed } = found;
  const { run, runId } = followed;
  const { person } = signedIn(context);
  const now = context.var.web.deps.clock.wallMs();
  const overtaken = await overtakenBy(context.var.web, run);
  const why =
    overtaken === null ? whyNotApprove(run, person, now, goneOf(context.var.web, run)) : overtakenText(overtaken);
  const { plan: facts, header } = run;
  const isOnHold = goneOf(context.var.web, run).get(person.publicKey ?? '')?.why === 'access_changed';
  if (why === null && facts !== null && header !== null)
    return act({ followed, run, facts, digest: header.digest, rows: rowsLeft(run, person.publicKey ?? '', now) });
  if (context.req.path.endsWith('/passkey')) return context.json({ what: why ?? '' }, 409);
  return answer(
    context,
    { ...pageOf(run), body: cannotApprovePage({ runId, run, proof: pageProof(context.var.web) }, why ?? '', isOnHold) },
    409,
  );
}

async function show(
  context: WebContext,
  { followed, run, rows }: Waiting,
  wrong: Wrong | null,
  typed: Pick<Given, 'total' | 'rows' | 'paidBefore'> = { total: '', rows: [], paidBefore: '' },
): Promise<Response> {
  const { web } = context.var;
  const { person } = signedIn(context);
  const seconds = wrong?.retryAfterSeconds ?? null;
  if (seconds !== null) context.header('retry-after', String(seconds));
  const { runId, n } = followed;
  const extras = await web.planViews.of(web, run, n);
  const hasPasskey = passkeysHere(web, person).length > 0;
  const body = approvePage({
    runId,
    run,
    proof: pageProof(web),
    extras,
    links: ownLinks(web, run, person),
    name: person.name,
    rows,
    hasPasskey,
    wrong,
    typed,
  });
  return answer(context, { ...pageOf(run), body }, seconds !== null ? 429 : wrong === null ? 200 : 422);
}

async function givenIn(context: WebContext, waiting: Waiting): Promise<Given> {
  const form = await context.req.parseBody({ all: true });
  const said = [form.row ?? []].flat().map(String);
  return {
    total: field(form, 'total'),
    rows: waiting.rows.filter((row) => said.includes(String(row))),
    paidBefore: field(form, 'paid_before'),
    password: field(form, 'password'),
    credential: field(form, 'credential'),
  };
}

/** For the page's script: what the person's passkey is to sign, null where they have none, or why not. */
async function ask(context: WebContext, waiting: Waiting): Promise<Response> {
  const { web } = context.var;
  const asked = signedIn(context);
  const { total, password, paidBefore } = await givenIn(context, waiting);
  const again = await paidAgain(web, waiting);
  if (again !== null && paidBefore !== String(again.payouts)) {
    const { what, remedy } = notTicked(again);
    return context.json({ what: `${what} ${remedy}` }, 422);
  }
  if (!isFirstTotal(total, waiting.facts)) {
    const { what, remedy } = wrongTotal(waiting.facts);
    return context.json({ what: `${what} ${remedy}` }, 422);
  }
  const proven = await proveAgain(web, asked.person, password);
  if (!proven.ok) return context.json({ what: proven.what }, proven.retryAfterSeconds === null ? 403 : 429);
  return context.json(await askForApproval(web, asked, waiting.followed.runId, approvedOf(waiting)));
}

async function paidAgain(web: Web, { followed, run }: Waiting): Promise<PaidBefore | null> {
  return paidBeforeOf(await web.planViews.of(web, run, followed.n));
}

function approvedOf({ facts, digest }: Waiting) {
  return { digest, payouts: facts.payouts, totals: totalTexts(facts) };
}

/** Signs with the key that the password opens. The audit log keeps what the passkey signed. */
async function approve(context: WebContext, waiting: Waiting): Promise<Response> {
  const { web } = context.var;
  const asked = signedIn(context);
  const { runId } = waiting.followed;
  const given = await givenIn(context, waiting);
  const refuse = (wrong: Wrong) => show(context, waiting, wrong, given);
  const again = await paidAgain(web, waiting);
  if (again !== null && given.paidBefore !== String(again.payouts)) return refuse(notTicked(again));
  if (!isFirstTotal(given.total, waiting.facts)) return refuse(wrongTotal(waiting.facts));
  const proven = await proveAgain(web, asked.person, given.password);
  if (!proven.ok)
    return refuse({ what: proven.what, remedy: NOTHING_DONE, retryAfterSeconds: proven.retryAfterSeconds });
  const needsPasskey = passkeysHere(web, asked.person).length > 0;
  const signed = needsPasskey
    ? await verifyApproval(web, asked, runId, approvedOf(waiting), given.credential)
    : { ok: true as const, proof: null };
  if (!signed.ok) return refuse({ what: signed.what, remedy: NOTHING_DONE });
  const { person, passphrase } = proven;
  const refusal = await approvedBy(web, {
    runId,
    digest: waiting.digest,
    rows: given.rows,
    keyFile: person.keyFile ?? '',
    passphrase,
    by: { account: web.deps.account, person: {} },
  });
  const { rows } = given;
  const details = {
    digest: waiting.digest,
    total: shownTotals(waiting.run),
    rows,
    passkey: signed.proof,
    ...(again !== null && { paid_before: { payouts: again.payouts, runs: again.runs } }),
    exit: refusal === null ? 0 : refusal === 'broken' ? null : REFUSAL_EXIT[refusal.kind],
  };
  const act = refusal === null ? 'approved' : 'approval_refused';
  web.audit.append({ person: person.id, act, runId, details });
  if (refusal === null) return context.redirect(`/runs/${runId}`, 303);
  if (refusal === 'broken') return refuse({ what: 'The approval could not be written.', remedy: 'Try again.' });
  return refuse({ what: refusal.what, remedy: NOTHING_DONE });
}

type NotApprovedHere = { kind: RefusalKind; what: string };

/** Null where it is approved; else why not, or that it could not be written. */
async function approvedBy(
  { deps }: Web,
  input: Parameters<Calls['approve']>[0],
): Promise<NotApprovedHere | 'broken' | null> {
  try {
    const approved = await deps.calls.approve(input);
    if (approved.outcome === 'approved') return null;
    deps.log.warn({ run: input.runId, refused: approved }, 'an approval was refused');
    const words = approveWords(approved, NO_COMMANDS);
    return { kind: words.kind, what: onPage(words).message };
  } catch (error) {
    deps.log.error({ run: input.runId, error }, 'an approval could not be written');
    return error instanceof Refusal ? { kind: error.kind, what: refusalOnPage(error).message } : 'broken';
  }
}

/** A plan has few acts before it is started. */
const APPROVALS_READ = 1_000;

/** Starts what is approved. The process that is started looks at everything again. */
async function start(context: WebContext): Promise<Response> {
  const found = await findRun(context);
  if (found === null) return noSuchRun(context);
  const { web } = context.var;
  const { runId, run } = found.followed;
  const form = await context.req.parseBody();
  const onlyValid = field(form, 'only_valid') === 'yes';
  const { isReady } = standingOf(run, web.deps.clock.wallMs(), goneOf(web, run));
  if (isReady && found.snapshot.phase === 'planned') {
    const { repeats = null } = run.header ?? {};
    const known = knownToAll(web.audit.list({ runId, limit: APPROVALS_READ }));
    const again = [...new Set([...(repeats === null ? [] : [repeats]), ...known])];
    const person = signedIn(context).person.id;
    const task = { name: 'run' as const, onlyValid, allowRepeat: again };
    return begin(context, { runId, act: 'started', task, person, details: { only_valid: onlyValid } });
  }
  return context.redirect(`/runs/${runId}`, 303);
}
