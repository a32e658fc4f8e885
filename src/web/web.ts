import { Buffer } from 'node:buffer';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { assert } from '../domain/refusal.ts';
import type { Dependencies, WebParts } from './parts.ts';
import { peopleIn } from './people/access.ts';
import type { Person } from './people/people.ts';
import { PlanViews } from './plans/plan-view.ts';
import { Plannings } from './plans/plannings.ts';
import { WaitingPlans } from './plans/waiting-plans.ts';
import { FollowedRuns } from './runs/followed-runs.ts';
import { RunTasks } from './runs/run-tasks.ts';
import { Passkeys } from './sign-in/passkey-store.ts';
import { Passwords, type PasswordWork } from './sign-in/passwords.ts';
import { Attempts, Devices, type Session, Sessions } from './sign-in/sessions.ts';
import { openWebStore } from './store/open.ts';
import { Checks } from './uploads/checks.ts';
import { Arriving } from './uploads/receive-file.ts';
import { SheetCells } from './uploads/sheet-cells.ts';
import { Uploads } from './uploads/uploads.ts';

/** Where the page is reached, and what everybody on it has to know. */
export type WebOptions = {
  /** The one origin that browsers know the page by, such as `http://localhost:8800`. */
  origin: string;
  /** Other authorities that name the same door (`127.0.0.1:8800`): reading there leads to the origin, writing is refused. */
  alsoHosts: readonly string[];
  /** A proxy stands in front and says who asks, in the last place of `X-Forwarded-For`. */
  isBehindProxy: boolean;
  /** Whether no money moves; null where the service was not asked, and each run says it. */
  rehearsal: boolean | null;
  /** How long a file is kept that was uploaded and that no plan needs any more. */
  keepUploadsMs?: number;
  /** Less than it is would be unsafe: for tests. */
  passwordWork?: PasswordWork;
};

/** What every route works with. */
export type Web = WebParts & {
  options: WebOptions;
  sessions: Sessions;
  passwords: Passwords;
  passkeys: Passkeys;
  attempts: Attempts;
  devices: Devices;
  arriving: Arriving;
  checks: Checks;
  sheets: SheetCells;
  plannings: Plannings;
  planViews: PlanViews;
  waitingPlans: WaitingPlans;
  /** The commands that work on runs. */
  runTasks: RunTasks;
  /** Aborts when the page ends: streams end then, and browsers ask for them again. */
  stopping: AbortController;
};

export type WebEnv = {
  Bindings: Partial<HttpBindings>;
  Variables: { web: Web; person: Person | null; session: Session | null };
};
export type WebContext = Context<WebEnv>;

export function openWeb(deps: Dependencies, options: WebOptions): Web {
  const { clock, randomness, dataDir } = deps;
  const store = openWebStore(dataDir);
  const uploads = new Uploads(store, clock, randomness);
  const ofPeople = peopleIn(store, clock, randomness);
  const runs = new FollowedRuns(deps.journal, clock, deps.log);
  return {
    deps,
    options,
    store,
    ...ofPeople,
    sessions: new Sessions(clock, randomness),
    passwords: new Passwords(randomness, options.passwordWork),
    passkeys: new Passkeys(store, clock),
    attempts: new Attempts(clock),
    devices: new Devices(store, clock, randomness),
    uploads,
    arriving: new Arriving(),
    checks: new Checks(deps, uploads),
    sheets: new SheetCells(deps, uploads),
    plannings: new Plannings(),
    planViews: new PlanViews(),
    waitingPlans: new WaitingPlans(),
    runs,
    runTasks: new RunTasks(deps, store, ofPeople.audit, runs),
    stopping: new AbortController(),
  };
}

/** Who asks, on a route that only those reach who have signed in. */
export function signedIn(context: WebContext): { person: Person; session: Session } {
  const { person, session } = context.var;
  assert(person !== null && session !== null, 'a route without its requireRole');
  return { person, session };
}

/** One text of a form; empty where it is missing. A file is no text. */
export function field(form: Record<string, unknown>, name: string): string {
  const value = form[name];
  return typeof value === 'string' ? value : '';
}

/** The address that a request comes from: of a proxy, the one that it says last. */
export function addressOf(context: WebContext): string {
  const direct = context.env?.incoming?.socket.remoteAddress ?? '';
  if (!context.var.web.options.isBehindProxy) return direct;
  const said = context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  return said === '' ? direct : said.slice(0, 64);
}

/** The bytes of a text that a browser sends as base64url. */
export function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64url, 'base64url'));
}
