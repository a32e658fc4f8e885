import { Hono } from 'hono';
import { pageProof } from '../audit/page-proof.ts';
import { requireRole } from '../require-role.ts';
import { answer } from '../shell/layout.ts';
import { field, signedIn, type WebContext, type WebEnv } from '../web.ts';
import { type DoubtAct, doubtActs, doubtOfRow, doubtPage, isConfirmed } from './doubts.ts';
import { ACTING, begin, findRun, mayAct, noSuchRun, pageOf, SEEING, whenRead } from './found-run.ts';
import type { Refused } from './refused.ts';

/** As the service gives them out; a word that begins with a hyphen would be an option. */
const TRANSACTION = /^[\w.:][\w.:-]{0,127}$/;

/** A payout in doubt, and a person's word about it. */
export function doubtRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/runs/:run/doubts/:row', requireRole(...SEEING), whenRead, (context) => showDoubt(context, null));

  app.post('/runs/:run/doubts/:row', requireRole(...ACTING), async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    const { runId } = found.followed;
    const row = Number(context.req.param('row'));
    const doubt = doubtOfRow(found.followed, row);
    if (doubt === null) return context.redirect(`/runs/${runId}`, 303);
    const form = await context.req.parseBody();
    const transaction = field(form, 'transaction').trim();
    const act = doubtActs(doubt).find(
      (one) => one.act === field(form, 'act') && (one.transaction === null || one.transaction === transaction),
    );
    const wrong =
      act === undefined ? NO_SUCH_ACT : wrongWith(act, transaction, isConfirmed(doubt, field(form, 'typed')));
    if (act === undefined || wrong !== null) return showDoubt(context, wrong);
    return perform(context, act, { runId, row, transaction });
  });
  return app;
}

async function showDoubt(context: WebContext, refused: Refused | null) {
  const found = await findRun(context);
  if (found === null) return noSuchRun(context);
  const { followed, snapshot } = found;
  const { run, runId } = followed;
  const doubt = doubtOfRow(followed, Number(context.req.param('row')));
  if (doubt === null) return context.redirect(`/runs/${runId}`, 303);
  const shown = { proof: pageProof(context.var.web), mayAct: mayAct(context), refused, isHeld: snapshot.isHeld };
  const body = doubtPage(run, runId, doubt, shown);
  return answer(context, { ...pageOf(run), body }, refused === null ? 200 : 422);
}

function wrongWith({ act }: DoubtAct, transaction: string, isTyped: boolean): Refused | null {
  if (act === 'resume') return null;
  if (act === 'sent' && !TRANSACTION.test(transaction))
    return { message: 'That is no id of a transaction.', remedy: 'Copy it from where the service shows it.' };
  if (isTyped) return null;
  return {
    message: 'What you typed is not the amount of this payout. Nothing was recorded.',
    remedy: 'Type it as it stands there.',
  };
}

const NO_SUCH_ACT: Refused = {
  message: 'This payout is already resolved. Nothing was recorded.',
  remedy: 'Look at it as it stands now.',
};

async function perform(
  context: WebContext,
  { act }: DoubtAct,
  { runId, row, transaction }: { runId: string; row: number; transaction: string },
) {
  const { runTasks } = context.var.web;
  const person = signedIn(context).person.id;
  if (act === 'resume')
    return begin(context, { runId, act: 'resumed', task: { name: 'resume' }, person, details: { row } });
  const verdict = act === 'sent' ? { kind: act, transactionId: transaction } : { kind: act };
  const refused = await runTasks.resolve({ runId, row, verdict }, person);
  return refused === null ? context.redirect(`/runs/${runId}`, 303) : showDoubt(context, refused);
}
