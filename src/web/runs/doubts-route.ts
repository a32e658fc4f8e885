import { Hono } from 'hono';
import { ACTING, requireRole, SEEING } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { answer } from '../shell/layout.ts';
import type { Problem } from '../shell/parts.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { type DoubtAct, doubtActs, doubtOfRow, doubtPage, isConfirmed } from './doubts.ts';
import { begin, type Found, mayAct, onRun, pageOf, toRun, whenRead } from './found-run.ts';
import { pageProof } from './page-proof.ts';

/** As the service gives them out; a word that begins with a hyphen would be an option. */
const TRANSACTION = /^[\w.:][\w.:-]{0,127}$/;

const decision = { act: text, transaction: text.transform((said) => said.trim()), typed: text };

/** A payout in doubt, and a person's decision about it. */
export function doubtRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/runs/:run/doubts/:row', requireRole(...SEEING), whenRead, onRun(show));
  app.post('/runs/:run/doubts/:row', requireRole(...ACTING), onRun(decide));
  return app;
}

function show(context: WebContext, { followed, snapshot }: Found, refused: Problem | null = null) {
  const { run, runId } = followed;
  const doubt = doubtOfRow(followed, Number(context.req.param('row')));
  if (doubt === null) return toRun(context, runId);
  const shown = { proof: pageProof(context.var.web), mayAct: mayAct(context), refused, isHeld: snapshot.isHeld };
  const body = doubtPage(run, runId, doubt, shown);
  return answer(context, { ...pageOf(run), body }, refused === null ? 200 : 422);
}

async function decide(context: WebContext, found: Found): Promise<Response> {
  const { web, person } = signedIn(context);
  const { followed } = found;
  const { runId } = followed;
  const row = Number(context.req.param('row'));
  const doubt = doubtOfRow(followed, row);
  if (doubt === null) return toRun(context, runId);
  const { act, transaction, typed } = await readForm(context, decision);
  const chosen = doubtActs(doubt).find(
    (one) => one.act === act && (one.transaction === null || one.transaction === transaction),
  );
  if (chosen === undefined) return show(context, found, NO_SUCH_ACT);
  const wrong = wrongWith(chosen, transaction, isConfirmed(doubt, typed));
  if (wrong !== null) return show(context, found, wrong);
  if (chosen.act === 'resume') {
    const task = { name: 'resume' } as const;
    return begin(context, { runId, act: 'resumed', task, person: person.id, details: { row } });
  }
  const verdict = chosen.act === 'sent' ? { kind: chosen.act, transactionId: transaction } : { kind: chosen.act };
  const refused = await web.runTasks.resolve({ runId, row, verdict }, person.id);
  return refused === null ? toRun(context, runId) : onRun((_, now) => show(context, now, refused))(context);
}

function wrongWith({ act }: DoubtAct, transaction: string, isTyped: boolean): Problem | null {
  if (act === 'resume') return null;
  if (act === 'sent' && !TRANSACTION.test(transaction))
    return { message: 'That is no id of a transaction.', remedy: 'Copy it from where the service shows it.' };
  if (isTyped) return null;
  return {
    message: 'What you typed is not the amount of this payout. Nothing was recorded.',
    remedy: 'Type it as it stands there.',
  };
}

const NO_SUCH_ACT: Problem = {
  message: 'This payout is already resolved. Nothing was recorded.',
  remedy: 'Look at it as it stands now.',
};
