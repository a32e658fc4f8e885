import { Hono } from 'hono';
import { countsOf } from '../../report/model/outcome.ts';
import { pageProof } from '../audit/page-proof.ts';
import { giveUpPage } from '../plans/give-up-page.ts';
import { whenRead } from '../plans/when-read.ts';
import { requireRole } from '../require-role.ts';
import { answer } from '../shell/layout.ts';
import { signedIn, type WebEnv } from '../web.ts';
import { ACTING, begin, findRun, noSuchRun, pageOf } from './found-run.ts';
import { cancelPage } from './watch-page.ts';

/** Stopping a run, and letting one go on. */
export function runActRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();

  app.get('/runs/:run/cancel', requireRole(...ACTING), whenRead, async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    const { followed, snapshot } = found;
    if (snapshot.phase === 'finished') return context.redirect(`/runs/${followed.runId}`, 303);
    const { run, runId } = followed;
    const proof = pageProof(context.var.web);
    const isPlan = !snapshot.isStarted && snapshot.phase === 'planned';
    const body = isPlan ? giveUpPage(run, runId, proof) : cancelPage(run, runId, snapshot, proof);
    return answer(context, { ...pageOf(run), body });
  });

  app.post('/runs/:run/cancel', requireRole(...ACTING), async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    const { followed, snapshot } = found;
    const { runId } = followed;
    const { runTasks } = context.var.web;
    const { person } = signedIn(context);
    if (snapshot.phase === 'finished' && !snapshot.isHeld) return context.redirect(`/runs/${runId}`, 303);
    // A process that works on it, or comes up, is only asked; else the service is asked about what waits.
    if (snapshot.isHeld || (await runTasks.cancel(runId, person.id)) !== null)
      await runTasks.askToCancel(runId, person);
    return context.redirect(`/runs/${runId}`, 303);
  });

  app.post('/runs/:run/resume', requireRole(...ACTING), async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    const { followed, snapshot } = found;
    const { runId } = followed;
    const person = signedIn(context).person.id;
    const isToDo = snapshot.phase !== 'finished' || countsOf(followed.run).unresolved > 0;
    if (snapshot.isStarted && !snapshot.isHeld && isToDo)
      return begin(context, { runId, act: 'resumed', task: { name: 'resume' }, person });
    return context.redirect(`/runs/${runId}`, 303);
  });

  return app;
}
