import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { refusalIn } from '../app/runs/known-run.ts';
import { Refusal } from '../domain/refusal.ts';
import { messages } from '../messages/messages.ts';
import { textTable } from '../messages/translate.ts';
import { loadTranslations } from '../messages/translations.ts';
import { apiRoutes } from './api/api-routes.ts';
import { tokenRoutes } from './api/tokens-page.ts';
import { webhookRoutes } from './api/webhooks-page.ts';
import { auditRoutes } from './audit/audit.ts';
import { entitySwitchRoutes, narrowLists } from './entity-switch.ts';
import { guard, limitBody, securityHeaders, setSecurityHeaders } from './guard.ts';
import { healthRoutes } from './health.ts';
import { homeRoutes } from './home/home.ts';
import { jobsRoutes } from './jobs/jobs.ts';
import { inboxRoutes } from './notices/inbox-page.ts';
import { noticeRoutes } from './notices/notices-page.ts';
import type { Dependencies } from './parts.ts';
import { holdRoutes } from './payees/holds.ts';
import { payeesRoutes } from './payees/payees.ts';
import { tagRoutes } from './payees/tags.ts';
import { payoutRoutes } from './payouts/payout.ts';
import { personRoutes } from './people/person.ts';
import { teamRoutes } from './people/team.ts';
import { approvalsRoutes } from './plans/approvals.ts';
import { approveRoutes } from './plans/approve/approve.ts';
import { endPlanRoutes } from './plans/end-plan.ts';
import { planRoutes } from './plans/planning.ts';
import { schedulePlanRoutes } from './plans/schedule-plan.ts';
import { reportsRoutes } from './reporting/reporting.ts';
import { findPerson } from './require-role.ts';
import { byHandRoutes } from './review/by-hand.ts';
import { recipientRoutes } from './review/recipients.ts';
import { reviewRoutes } from './review/review.ts';
import { doubtRoutes } from './runs/doubts.ts';
import { runActRoutes } from './runs/run-acts.ts';
import { runEventRoutes } from './runs/run-events.ts';
import { runReportRoutes } from './runs/run-report.ts';
import { runRoutes } from './runs/run-route.ts';
import { runTabRoutes } from './runs/run-tabs.ts';
import { runsRoutes } from './runs/runs.ts';
import { commentRoutes } from './runs/timeline.ts';
import { connectionRoutes } from './settings/connections-page.ts';
import { entityRoutes } from './settings/entities-page.ts';
import { signInSettingsRoutes } from './settings/sign-in-page.ts';
import { errorPage } from './shell/layout.ts';
import { authenticatorAppRoutes } from './sign-in/authenticator-app.ts';
import { meRoutes } from './sign-in/me.ts';
import { providerRoutes } from './sign-in/provider-sign-in.ts';
import { secondFactorRoutes } from './sign-in/second-factor.ts';
import { signInRoutes } from './sign-in/sign-in.ts';
import { viewRoutes } from './sign-in/view-choice.ts';
import { welcomeRoutes } from './sign-in/welcome.ts';
import { staticRoutes } from './static-files.ts';
import { layoutRoutes } from './uploads/layouts-route.ts';
import { mapRoutes } from './uploads/map-route.ts';
import { readingRoutes } from './uploads/reading-route.ts';
import { sheetRoutes } from './uploads/sheet.ts';
import { uploadRoutes } from './uploads/uploads-route.ts';
import { viewOfBrowser, viewOfPerson } from './viewing.ts';
import { openWeb, type Web, type WebEnv, type WebOptions } from './web.ts';

export type WebApp = {
  app: Hono<WebEnv>;
  web: Web;
  /** A new one-time link for the first person; null where somebody is in already. Earlier ones are void. */
  firstUserLink(): Promise<string | null>;
  /** Ends what lasts, before the server is closed; resolves when no plan is being made any more, and no run cancelled. */
  stop(): Promise<void>;
  close(): Promise<void>;
};

const ROUTES: readonly (() => Hono<WebEnv>)[] = [
  staticRoutes,
  signInRoutes,
  secondFactorRoutes,
  providerRoutes,
  welcomeRoutes,
  homeRoutes,
  meRoutes,
  viewRoutes,
  noticeRoutes,
  inboxRoutes,
  tokenRoutes,
  authenticatorAppRoutes,
  webhookRoutes,
  teamRoutes,
  personRoutes,
  entitySwitchRoutes,
  connectionRoutes,
  entityRoutes,
  signInSettingsRoutes,
  uploadRoutes,
  layoutRoutes,
  readingRoutes,
  mapRoutes,
  sheetRoutes,
  reviewRoutes,
  byHandRoutes,
  recipientRoutes,
  planRoutes,
  approvalsRoutes,
  approveRoutes,
  endPlanRoutes,
  schedulePlanRoutes,
  runsRoutes,
  runRoutes,
  runTabRoutes,
  runEventRoutes,
  commentRoutes,
  runActRoutes,
  doubtRoutes,
  payoutRoutes,
  runReportRoutes,
  jobsRoutes,
  payeesRoutes,
  holdRoutes,
  tagRoutes,
  reportsRoutes,
  auditRoutes,
];

const NOT_HERE = textTable({
  message: 'There is no page at this address.',
  remedy: 'Check the address or go to Overview.',
});
const BROKEN = textTable({
  message: 'This page could not be shown. No payment was affected.',
  remedy: 'Try again. If the problem persists, see the log file in the data directory.',
});

/** What people are shown of an error; null for a bug. A journal in a database is away as the rest of it is. */
function shownRefusal(error: unknown): Refusal | null {
  const refusal = refusalIn(error);
  const loss = refusal?.reason.code === 'lost' ? refusal.reason.loss : null;
  if (loss === null || !('database' in loss) || loss.database === undefined) return refusal;
  if (loss.why === 'unreadable') return new Refusal({ code: 'page_database_away', cause: loss.cause });
  return loss.why === 'commit_uncertain' ? new Refusal({ code: 'page_change_uncertain', cause: loss.cause }) : refusal;
}

/** The page for finance, without a port. Opens its own database in the data directory; throws a `Refusal` of that. */
export async function createWebApp(deps: Dependencies, options: WebOptions): Promise<WebApp> {
  loadTranslations();
  const web = await openWeb(deps, options);
  const app = new Hono<WebEnv>();
  app.use(async (context, next) => {
    context.set('web', web);
    context.set('person', null);
    context.set('here', null);
    context.set('wanted', []);
    context.set('session', null);
    context.set('halfIn', null);
    await next();
  });
  // No other site can make a browser ask for our pages (`guard`), so none can measure how they compress (BREACH).
  app.use(compress());
  app.use(securityHeaders);
  app.route('/', healthRoutes());
  app.route('/', apiRoutes());
  app.use(viewOfBrowser, guard, limitBody, findPerson, viewOfPerson, narrowLists);
  for (const routes of ROUTES) app.route('/', routes());
  app.notFound((context) => errorPage(context, { status: 404, ...NOT_HERE }));
  app.onError(async (error, context) => {
    const refusal = shownRefusal(error);
    if (!(error instanceof Refusal)) deps.log.error({ error, path: context.req.path }, 'a page could not be made');
    const failure =
      refusal === null
        ? { status: 500 as const, ...BROKEN }
        : { status: 503 as const, ...messages.refusals.refusalOnPage(refusal) };
    const answer = await errorPage(context, failure);
    setSecurityHeaders(answer.headers, options.origin.startsWith('https:'));
    return answer;
  });
  return {
    app,
    web,
    async firstUserLink() {
      if (await web.people.hasFirst()) return null;
      return `${options.origin}/welcome#${await web.people.invite(null)}`;
    },
    async stop() {
      web.stopping.abort();
      await Promise.all([web.plannings.allEnded(), web.runTasks.cancelled()]);
    },
    async close() {
      web.runTasks.close();
      web.work.close();
      web.runs.close();
      await web.store.close();
    },
  };
}
