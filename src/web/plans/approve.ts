import { Hono } from 'hono';
import type { Calls } from '../../app/background/calls.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { counted } from '../../messages/text.ts';
import { accountText } from '../../report/model/identifiers.ts';
import { type Refused, refusedBy } from '../refused.ts';
import { requireRole } from '../require-role.ts';
import { type Found, onRun, pageOf, toRun, whenRead } from '../runs/found-run.ts';
import { pageProof, runHead } from '../runs/run-head.ts';
import { readForm, text, texts } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import {
  accountField,
  choice,
  facts as factsPart,
  hiddenField,
  moment,
  type Problem,
  problemNotice,
  runLinks,
} from '../shell/parts.ts';
import { isFirstTotal, minorText, plainTotals, planText, shownTotals } from '../shell/words.ts';
import { notProven } from '../sign-in/me.ts';
import { askForApproval, verifyApproval } from '../sign-in/passkey-approval.ts';
import { passkeysHere } from '../sign-in/passkeys.ts';
import { proveAgain } from '../sign-in/prove.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';
import { notTicked, type PaidBefore, paidBeforeOf, paidBeforeText } from './paid-before.ts';
import { approversPart, moneyPart, preparerName, verificationPart, warningsPart } from './plan-parts.ts';
import { type PlanExtras, planExtras } from './plan-view.ts';
import { approverWarnings, capitalized, standingFor } from './standing.ts';

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

/** What somebody filled in: ticks hold how many they are about, or the number of a row. */
type Typed = { total: string; row: readonly string[]; paid_before: string };

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
    const { run, runId } = followed;
    const { plan: facts, header } = run;
    const { whyNot, rowsLeft: rows } = await standingFor(web, run, person);
    if (whyNot === null && facts !== null && header !== null) {
      const extras = await planExtras(web, followed);
      return act(context, { runId, run, facts, digest: header.digest, rows, extras, again: paidBeforeOf(extras) });
    }
    assert(whyNot !== null, 'a plan that can be approved, without its facts');
    if (context.req.path.endsWith('/passkey')) return context.json({ message: capitalized(whyNot.text) }, 409);
    const body = html`${runHead(run, await pageProof(web, run))}
<div class="notice ${whyNot.isOnHold ? 'wrong' : 'care'}"><p class="lead">You cannot approve this plan.</p><p>${capitalized(whyNot.text)}</p></div>
<p><a href="/runs/${runId}">Back to the plan</a></p>`;
    return answer(context, { ...pageOf(run), body }, 409);
  });
}

/**
 * Shows everything that the signature is over, and what it asks for: that payouts were paid before, rows to new accounts,
 * the total by hand, password, passkey.
 */
async function show(context: WebContext, waiting: Waiting, wrong: Wrong | null, typed: Typed): Promise<Response> {
  const { web, person } = signedIn(context);
  const { runId, run, extras } = waiting;
  const seconds = wrong?.retryAfterSeconds ?? null;
  if (seconds !== null) context.header('retry-after', String(seconds));
  const hasPasskey = (await passkeysHere(web, person)).length > 0;
  const body = html`${runHead(run, await pageProof(web, run))}
${problemNotice(wrong)}
${summary(waiting)}
${approversPart(await approverWarnings(web, run, person))}
${warningsPart(run, extras)}
${moneyPart(run, extras)}
<section class="card" aria-labelledby="sign"><h2 id="sign">Approve it</h2>
<form method="post" action="/runs/${runId}/approve" data-passkey-get="/runs/${runId}/approve/passkey">
${accountField(person.name)}
${hiddenField('credential', '')}
${paidBeforeField(waiting, typed)}
${rowsField(waiting, typed)}
${totalField(waiting, typed)}
<label>Your password <input name="password" type="password" required autocomplete="current-password" aria-describedby="password-why"></label>
<p class="soft small" id="password-why">It opens the key that signs, so that nobody else at your screen can.${hasPasskey && ' Then your passkey is asked for.'}</p>
<p class="notice wrong" role="alert" data-passkey-problem hidden></p>
<div class="row"><button class="primary">Approve ${planText(run)}</button><a class="button" href="/runs/${runId}">Not now</a></div>
</form></section>`;
  return answer(context, { ...pageOf(run), body }, seconds !== null ? 429 : wrong === null ? 200 : 422);
}

function summary({ run, extras, again }: Waiting): Html {
  const { header, plan } = run;
  const changed = extras.warnings.filter(({ code }) => code === 'account_changed').length;
  const bad = (payouts: number) => html`<strong class="bad">${counted(payouts, 'payout')}</strong>`;
  return html`<section class="card" aria-labelledby="what"><h2 id="what">${planText(run)}</h2>
${factsPart([
  ['File', header?.input.name],
  ['Made by', html`${preparerName(plan)}, ${moment(run.createdAt)}`],
  ['Paid before', again && html`${bad(again.payouts)}, by ${runLinks(again.runs)}`],
  ['Changed bank details', changed === 0 ? 'none' : bad(changed)],
])}
${verificationPart(run)}</section>`;
}

/** The tick holds how many it is about, so that one for what was seen is none for what was found since. */
function paidBeforeField({ run, again }: Waiting, typed: Typed): Html | null {
  if (again === null) return null;
  const value = String(again.payouts);
  const words = paidBeforeText(again, run.plan?.payouts ?? 0);
  const ticked = { isTicked: typed.paid_before === value, isRequired: true };
  return html`<fieldset><legend>Paid before</legend>${choice('paid_before', value, words, ticked)}</fieldset>`;
}

function rowsField({ run, rows }: Waiting, typed: Typed): Html | null {
  if (rows.length === 0) return null;
  const wanted = new Set(rows);
  const choices = run.rows.flatMap(({ row, order }) => {
    if (order === null || !wanted.has(row)) return [];
    const { payee, destination, amount_minor, currency } = order;
    const who = payee.payee_id === null ? payee.name : `${payee.name} (${payee.payee_id})`;
    const words = html`Row ${row}: ${who} gets ${minorText(amount_minor, currency)} <span class="soft">on ${accountText(destination)}</span>`;
    return [choice('row', row, words, { isTicked: typed.row.includes(String(row)) })];
  });
  return html`<fieldset><legend>Rows to new or changed accounts: tick those that you have asked the payee about</legend>${choices}</fieldset>`;
}

function totalField({ run }: Waiting, typed: Typed): Html {
  const [first, ...others] = shownTotals(run);
  const which = others.length === 0 ? 'the total' : 'the total of the first currency';
  return html`<label>Type ${which}: ${first} <input name="total" value="${typed.total}" required maxlength="80" autocomplete="off" spellcheck="false"></label>`;
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
  return { digest, payouts: facts.payouts, totals: plainTotals(facts) };
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
    (await passkeysHere(web, person)).length > 0
      ? await verifyApproval(web, asked, runId, approvedOf(waiting), form.credential)
      : { ok: true as const, proof: null };
  if (!signed.ok) return refuse({ message: signed.message, remedy: NOTHING_DONE });
  const rows = waiting.rows.filter((row) => form.row.includes(String(row)));
  const by = { account: web.deps.account, person: {} };
  const refused = await web.people.withKey(person, (keyFile) =>
    refusalOf(web, { runId, digest, rows, keyFile, passphrase, by }),
  );
  const details = {
    digest,
    total: shownTotals(run),
    rows,
    passkey: signed.proof,
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
  return refuse({ message: refused.message, remedy: refused.exit === 1 ? refused.remedy : NOTHING_DONE });
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
    return refusedBy(thrown, { message: 'The approval could not be written.', remedy: 'Try again.' }, log);
  }
}
