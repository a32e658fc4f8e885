import { Hono } from 'hono';
import type { Calls } from '../../app/background/calls.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { type Refused, thrownRefused } from '../refused.ts';
import { requireRole } from '../require-role.ts';
import { type Found, onRun, pageOf, toRun, whenRead } from '../runs/found-run.ts';
import { pageProof } from '../runs/page-proof.ts';
import { readForm, text, texts } from '../shell/form.ts';
import { answer } from '../shell/layout.ts';
import type { Problem } from '../shell/parts.ts';
import { shownTotals } from '../shell/words.ts';
import { notProven } from '../sign-in/me.ts';
import { askForApproval, verifyApproval } from '../sign-in/passkey-approval.ts';
import { passkeysHere } from '../sign-in/passkeys.ts';
import { proveAgain } from '../sign-in/prove.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { approvePage, cannotApprovePage, type Typed } from './approve-page.ts';
import { notTicked, type PaidBefore, paidBeforeOf } from './paid-before.ts';
import type { PlanExtras } from './plan-view.ts';
import { capitalized, linkWarnings, standingFor } from './standing.ts';

/** A plan whose header and facts are there, and which this person may approve. */
type Waiting = {
  runId: string;
  run: RunState;
  facts: PlanFacts;
  digest: string;
  /** The rows to new or changed accounts that this person has not approved yet. */
  rows: number[];
  extras: PlanExtras;
  again: PaidBefore | null;
};

type Wrong = Problem & { retryAfterSeconds?: number | null };

const NOTHING_DONE = 'Nothing was approved.';
const NOTHING_TYPED: Typed = { total: '', row: [], paid_before: '' };

const approval = { total: text, row: texts, paid_before: text, password: text, credential: text };

/** Approving a plan that somebody else made. */
export function approveRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const approves = requireRole('approver');
  app.get(
    '/runs/:run/approve',
    approves,
    whenRead,
    onWaiting((context, waiting) => show(context, waiting, null, NOTHING_TYPED)),
  );
  app.post('/runs/:run/approve/passkey', approves, onWaiting(ask));
  app.post('/runs/:run/approve', approves, onWaiting(approve));
  return app;
}

/** Hands the plan to `act`, or shows why this person may not approve it. */
function onWaiting(act: (context: WebContext, waiting: Waiting) => Response | Promise<Response>) {
  return onRun(async (context, { followed }: Found) => {
    const { web, person } = signedIn(context);
    const { run, runId, n } = followed;
    const { plan: facts, header } = run;
    const { whyNot, rowsLeft: rows } = await standingFor(web, run, person);
    if (whyNot === null && facts !== null && header !== null) {
      const extras = await web.planViews.of(run, n);
      return act(context, { runId, run, facts, digest: header.digest, rows, extras, again: paidBeforeOf(extras) });
    }
    assert(whyNot !== null, 'a plan that can be approved, without its facts');
    if (context.req.path.endsWith('/passkey')) return context.json({ message: capitalized(whyNot.text) }, 409);
    return answer(context, { ...pageOf(run), body: cannotApprovePage(run, runId, pageProof(web), whyNot) }, 409);
  });
}

function show(context: WebContext, waiting: Waiting, wrong: Wrong | null, typed: Typed) {
  const { web, person } = signedIn(context);
  const { run } = waiting;
  const seconds = wrong?.retryAfterSeconds ?? null;
  if (seconds !== null) context.header('retry-after', String(seconds));
  const body = approvePage({
    ...waiting,
    proof: pageProof(web),
    links: linkWarnings(web, run, person),
    name: person.name,
    hasPasskey: passkeysHere(web, person).length > 0,
    wrong,
    typed,
  });
  return answer(context, { ...pageOf(run), body }, seconds !== null ? 429 : wrong === null ? 200 : 422);
}

/** What is wrong with what somebody ticked and typed, before their password is looked at. */
function wrongIn({ again, facts }: Waiting, { paid_before, total }: Typed): Problem | null {
  if (again !== null && paid_before !== String(again.payouts)) return notTicked(again, NOTHING_DONE);
  if (isFirstTotal(total, facts)) return null;
  const [example = ''] = shownTotals({ plan: facts });
  const remedy = `Look at it again, and type it as it stands here: ${example}. ${NOTHING_DONE}`;
  return { message: 'That is not the total.', remedy };
}

/** For the page's script: what the person's passkey is to sign, null where they have none, or why not. */
async function ask(context: WebContext, waiting: Waiting): Promise<Response> {
  const { web, ...asked } = signedIn(context);
  const form = await readForm(context, approval);
  const wrong = wrongIn(waiting, form);
  if (wrong !== null) return context.json({ message: `${wrong.message} ${wrong.remedy}` }, 422);
  const proven = await proveAgain(web, asked.person, form.password);
  if (!proven.ok) return notProven(context, proven);
  return context.json(await askForApproval(web, asked, waiting.runId, approvedOf(waiting)));
}

function approvedOf({ facts, digest }: Waiting) {
  return { digest, payouts: facts.payouts, totals: totalTexts(facts) };
}

/** Signs with the key that the password opens. The audit log keeps what the passkey signed. */
async function approve(context: WebContext, waiting: Waiting): Promise<Response> {
  const { web, ...asked } = signedIn(context);
  const { runId, run, digest, again } = waiting;
  const form = await readForm(context, approval);
  const refuse = (wrong: Wrong) => show(context, waiting, wrong, form);
  const wrong = wrongIn(waiting, form);
  if (wrong !== null) return refuse(wrong);
  const proven = await proveAgain(web, asked.person, form.password);
  if (!proven.ok) return refuse({ ...proven, remedy: NOTHING_DONE });
  const { person, passphrase } = proven;
  const signed =
    passkeysHere(web, person).length > 0
      ? await verifyApproval(web, asked, runId, approvedOf(waiting), form.credential)
      : { ok: true as const, proof: null };
  if (!signed.ok) return refuse({ message: signed.message, remedy: NOTHING_DONE });
  const rows = waiting.rows.filter((row) => form.row.includes(String(row)));
  const by = { account: web.deps.account, person: {} };
  const refused = await refusedBy(web, { runId, digest, rows, keyFile: person.keyFile ?? '', passphrase, by });
  const details = {
    digest,
    total: shownTotals(run),
    rows,
    passkey: signed.proof,
    ...(again !== null && { paid_before: { payouts: again.payouts, runs: again.runs } }),
    exit: refused === null ? 0 : refused.exit,
  };
  web.audit.append({ person: person.id, act: refused === null ? 'approved' : 'approval_refused', runId, details });
  if (refused === null) return toRun(context, runId);
  return refuse({ message: refused.message, remedy: refused.exit === null ? refused.remedy : NOTHING_DONE });
}

/** Null where it is approved; else why not. */
async function refusedBy({ deps }: Web, input: Parameters<Calls['approve']>[0]): Promise<Refused | null> {
  try {
    await deps.calls.approve(input);
    return null;
  } catch (error) {
    if (error instanceof Refusal) {
      deps.log.warn({ run: input.runId, refused: error.reason }, 'an approval was refused');
      return thrownRefused(error);
    }
    deps.log.error({ run: input.runId, error }, 'an approval could not be written');
    return { message: 'The approval could not be written.', remedy: 'Try again.', exit: null };
  }
}

/** Each total as an approver types it, and as a passkey signs it: `46479.35 AUD`. */
function totalTexts({ totals }: Pick<PlanFacts, 'totals'>): string[] {
  return totals.map(
    ({ currency, planned_minor }) =>
      `${formatMajor(BigInt(planned_minor), currency.decimals)} ${currencyLabel(currency)}`,
  );
}

const GROUPED = /^\d{1,3}(,\d{3})+(?=[. ]|$)/;

/** Whether somebody typed the total of the first currency. Blanks, groups and a currency left out make no other amount. */
function isFirstTotal(typed: string, facts: Pick<PlanFacts, 'totals'>): boolean {
  const plain = typed.trim().replace(/\s+/g, ' ');
  const [first] = totalTexts(facts);
  const ungrouped = plain.replace(GROUPED, (grouped) => grouped.replaceAll(',', ''));
  return first !== undefined && (ungrouped === first || ungrouped === first.split(' ')[0]);
}
