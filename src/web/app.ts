import { Hono } from 'hono';
import { Refusal } from '../domain/refusal.ts';
import { refusalOnPage } from '../messages/refusals/refusal.ts';
import { auditRoutes } from './audit/audit-route.ts';
import { guard, limitBody, securityHeaders, setSecurityHeaders } from './guard.ts';
import { homeRoutes } from './home/home.ts';
import { jobsRoutes } from './jobs/jobs.ts';
import type { Dependencies } from './parts.ts';
import { payeesRoutes } from './payees/payees.ts';
import { peopleRoutes } from './people/people-route.ts';
import { approveRoutes } from './plans/approve-route.ts';
import { planRoutes } from './plans/plan-route.ts';
import { findPerson } from './require-role.ts';
import { doubtRoutes } from './runs/doubts-route.ts';
import { retryRoutes } from './runs/retry-route.ts';
import { runEventRoutes } from './runs/run-events.ts';
import { runReportRoutes } from './runs/run-report.ts';
import { runActRoutes, runRoutes, runRowRoutes } from './runs/run-route.ts';
import { runsRoutes } from './runs/runs.ts';
import { errorPage } from './shell/layout.ts';
import { meRoutes } from './sign-in/me.ts';
import { signInRoutes } from './sign-in/sign-in.ts';
import { welcomeRoutes } from './sign-in/welcome.ts';
import { staticRoutes } from './static-files.ts';
import { sheetRoutes } from './uploads/sheet.ts';
import { templateRoutes, uploadRoutes } from './uploads/uploads-route.ts';
import { openWeb, type Web, type WebEnv, type WebOptions } from './web.ts';

export type WebApp = {
  app: Hono<WebEnv>;
  web: Web;
  /** A new one-time link for the first person; null where somebody is in already. Earlier ones are void. */
  firstUserLink(): string | null;
  /** Ends what lasts, before the server is closed; resolves when no plan is being made any more, and no run cancelled. */
  stop(): Promise<void>;
  close(): void;
};

/** The page for finance, without a port. Opens its own database in the data directory; throws a `Refusal` of that. */
export function createWebApp(deps: Dependencies, options: WebOptions): WebApp {
  const web = openWeb(deps, options);
  const app = new Hono<WebEnv>();
  app.use(async (context, next) => {
    context.set('web', web);
    context.set('person', null);
    context.set('session', null);
    await next();
  });
  app.use(securityHeaders, guard, limitBody, findPerson);
  for (const routes of allRoutes()) app.route('/', routes);
  app.notFound((context) => errorPage(context, { status: 404, ...NOT_HERE }));
  app.onError(async (error, context) => {
    const isRefusal = error instanceof Refusal;
    if (!isRefusal) deps.log.error({ error, path: context.req.path }, 'a page could not be made');
    const told = isRefusal ? toldOf(error) : BROKEN;
    const answer = await errorPage(context, { status: isRefusal ? 503 : 500, ...told });
    setSecurityHeaders(answer.headers, options.origin.startsWith('https:'));
    return answer;
  });
  const stop = async (): Promise<void> => {
    web.stopping.abort();
    await Promise.all([web.plannings.allEnded(), web.runTasks.cancelled()]);
  };
  return { app, web, firstUserLink: () => firstUserLink(web), stop, close: () => closeWeb(web) };
}

function allRoutes(): Hono<WebEnv>[] {
  const ofPeople = [
    signInRoutes(),
    welcomeRoutes(),
    homeRoutes(),
    meRoutes(),
    peopleRoutes(),
    uploadRoutes(),
    templateRoutes(),
  ];
  const ofRuns = [
    sheetRoutes(),
    planRoutes(),
    approveRoutes(),
    runRoutes(),
    runEventRoutes(),
    runRowRoutes(),
    runActRoutes(),
    doubtRoutes(),
    runReportRoutes(),
    retryRoutes(),
  ];
  const ofHistory = [runsRoutes(), jobsRoutes(), payeesRoutes(), auditRoutes()];
  return [staticRoutes(), ...ofPeople, ...ofRuns, ...ofHistory];
}

function closeWeb({ runs, runTasks, store }: Web): void {
  runTasks.close();
  runs.close();
  store.close();
}

function toldOf(error: Refusal): { what: string; remedy: string } {
  const { message, remedy } = refusalOnPage(error);
  return { what: message, remedy };
}

const NOT_HERE = { what: 'There is no such page.', remedy: 'Check the address, or begin at the first page.' };
const BROKEN = {
  what: 'This page could not be made. Nothing was sent because of it.',
  remedy: 'Try again. If it stays so, the log file in the data directory says why.',
};

function firstUserLink({ people, options }: Web): string | null {
  if (people.list().some(({ hasComeIn }) => hasComeIn)) return null;
  return `${options.origin}/welcome#${people.invite(null)}`;
}
