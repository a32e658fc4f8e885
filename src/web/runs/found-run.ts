import type { Person } from '../people/people.ts';
import type { Role } from '../people/roles.ts';
import { errorPage } from '../shell/error-page.ts';
import type { FollowedRun } from '../watch/followed-run.ts';
import type { RunAct } from '../watch/run-tasks.ts';
import type { WatchSnapshot } from '../watch/snapshot.ts';
import { signedIn, type WebContext } from '../web.ts';

/** Who may see runs. */
export const SEEING = ['preparer', 'approver', 'viewer'] as const;

/** Who may stop runs and let them go on. */
export const ACTING = ['preparer', 'approver'] as const;

export type Found = { followed: FollowedRun; snapshot: WatchSnapshot };

/** Starts what is to be done with a run, and shows it. Where another one works on the run, the page reports that nothing was done. */
export async function begin(context: WebContext, act: RunAct): Promise<Response> {
  const under = await context.var.web.runTasks.start(act);
  if (under === null || under === act.act) return context.redirect(`/runs/${act.runId}`, 303);
  return errorPage(context, {
    status: 409,
    what: 'Something else is being done to this run just now. Nothing was done.',
    remedy: 'Look at the run again, and do it when that is over.',
  });
}

/** The run that the address names, as it stands now; null where there is none. */
export async function findRun(context: WebContext): Promise<Found | null> {
  const { runs } = context.var.web;
  const runId = context.req.param('run') ?? '';
  const followed = await runs.read(runId);
  const snapshot = followed === null ? null : await runs.snapshot(runId);
  return followed === null || snapshot === null ? null : { followed, snapshot };
}

export function noSuchRun(context: WebContext) {
  return errorPage(context, { status: 404, what: 'There is no such run.', remedy: 'Look for it under Runs.' });
}

export function hasOneOf({ roles }: Pick<Person, 'roles'>, wanted: readonly Role[]): boolean {
  return wanted.some((role) => roles.includes(role));
}

export function mayAct(context: WebContext): boolean {
  return hasOneOf(signedIn(context).person, ACTING);
}

/** What every page of a run has. */
export function pageOf({ header }: FollowedRun['run']) {
  return { title: header?.input.name ?? 'Run', here: 'runs' as const, rehearsal: header?.rehearsal ?? null };
}
