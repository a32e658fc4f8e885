import { Hono } from 'hono';
import { Refusal } from '../domain/refusal.ts';
import { withoutCommands } from '../report/without-commands.ts';
import type { Dependencies } from './dependencies.ts';
import { guard, limitBody, securityHeaders, setSecurityHeaders } from './guard.ts';
import { errorPage } from './pages/error-page.ts';
import { findPerson } from './require-role.ts';
import { approveRoutes } from './routes/approve.ts';
import { auditRoutes } from './routes/audit.ts';
import { doubtRoutes } from './routes/doubts.ts';
import { homeRoutes } from './routes/home.ts';
import { jobsRoutes } from './routes/jobs.ts';
import { meRoutes } from './routes/me.ts';
import { payeesRoutes } from './routes/payees.ts';
import { peopleRoutes } from './routes/people.ts';
import { planRoutes } from './routes/plan.ts';
import { retryRoutes } from './routes/retry.ts';
import { runRoutes } from './routes/run.ts';
import { runActRoutes } from './routes/run-acts.ts';
import { runEventRoutes } from './routes/run-events.ts';
import { runReportRoutes } from './routes/run-report.ts';
import { runRowRoutes } from './routes/run-rows.ts';
import { runsRoutes } from './routes/runs.ts';
import { sheetRoutes } from './routes/sheet.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { templateRoutes } from './routes/template.ts';
import { uploadRoutes } from './routes/uploads.ts';
import { welcomeRoutes } from './routes/welcome.ts';
import { staticRoutes } from './static-files.ts';
import { openWeb, type Web, type WebEnv, type WebOptions } from './web.ts';

export type WebApp = {
  app: Hono<WebEnv>;
  web: Web;
  /** A new one-time link for the first person; null where somebody is in already. Earlier ones are void. */
  firstUserLink(): string | null;
  /** Ends what lasts, before the server is closed; resolves when no plan is being made any more. */
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
    const told = isRefusal ? { what: withoutCommands(error.message), remedy: withoutCommands(error.remedy) } : BROKEN;
    const answer = await errorPage(context, { status: isRefusal ? 503 : 500, ...told });
    setSecurityHeaders(answer.headers, options.origin.startsWith('https:'));
    return answer;
  });
  const stop = async (): Promise<void> => {
    web.stopping.abort();
    await web.plannings.allEnded();
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

function closeWeb({ runs, children, store }: Web): void {
  children.close();
  runs.close();
  store.close();
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
