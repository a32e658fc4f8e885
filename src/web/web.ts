import { Buffer } from 'node:buffer';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { peopleIn } from '../app/people/access.ts';
import { ApiAnswers } from '../app/people/api-answers.ts';
import { Connections } from '../app/people/connections.ts';
import { Entities } from '../app/people/entities.ts';
import { FileLayouts } from '../app/people/file-layouts.ts';
import type { Role } from '../app/people/grants.ts';
import { PayeeTags } from '../app/people/payee-tags.ts';
import type { Person } from '../app/people/people.ts';
import { RememberedHeaders } from '../app/people/remembered-headers.ts';
import { openPageStore } from '../app/people/store/open-page-store.ts';
import { WebhookEndpoints } from '../app/people/webhook-endpoints.ts';
import { assert } from '../domain/refusal.ts';
import { Notices } from './notices/notices.ts';
import { Places } from './once.ts';
import { PageConnections } from './page-connections.ts';
import type { Dependencies, WebParts } from './parts.ts';
import { Plannings } from './plans/plannings.ts';
import { WaitingPlans } from './plans/waiting-plans.ts';
import { Reviews } from './review/reviews.ts';
import { FollowedRuns } from './runs/followed-runs.ts';
import { RunTasks } from './runs/run-tasks.ts';
import { SharedWork } from './shared-work.ts';
import { Sights } from './sights.ts';
import { Attempts } from './sign-in/attempts.ts';
import { Devices } from './sign-in/devices.ts';
import { Passkeys } from './sign-in/passkey-store.ts';
import { Passwords, type PasswordWork } from './sign-in/passwords.ts';
import { Provider, type ProviderSettings } from './sign-in/provider.ts';
import { ProviderAccounts } from './sign-in/provider-accounts.ts';
import { SecondFactors } from './sign-in/second-factor-store.ts';
import { type Session, Sessions } from './sign-in/sessions.ts';
import { Checks } from './uploads/checks.ts';
import { Uploads } from './uploads/uploads.ts';

/** Uploads that arrive at once on this host: of one person, and of all. */
const UPLOADS_OF_ONE_MAX = 3;
const UPLOADS_MAX = 12;

/** Where the page is, and what everybody on it has to know. */
export type WebOptions = {
  /** The one origin that browsers know the page by, such as `http://localhost:8800`. */
  origin: string;
  /** Other authorities of the same page (`127.0.0.1:8800`): reading there leads to the origin, writing is refused. */
  alsoHosts: readonly string[];
  /** A proxy stands in front and adds the client's address as the last entry of `X-Forwarded-For`. */
  isBehindProxy: boolean;
  /** Whether no money moves; null where the service did not answer, and each run says it. */
  rehearsal: boolean | null;
  /** How long an uploaded file is kept that no plan needs any more. */
  keepUploadsMs?: number;
  /** Who signs people in beside their password, by OpenID Connect. */
  provider?: ProviderSettings;
  /** Less than the default is unsafe: for tests. */
  passwordWork?: PasswordWork;
};

/** What every route works with. */
export type Web = Awaited<ReturnType<typeof openWeb>>;

export type WebEnv = {
  Bindings: Partial<HttpBindings>;
  Variables: {
    web: Web;
    person: Person | null;
    /** The same with the roles that they have for the payment or file of the address. */
    here: Person | null;
    /** The roles of which the route asks for one; none where it asks for no role. */
    wanted: readonly Role[];
    session: Session | null;
    halfIn: HalfIn | null;
  };
};

/** Who has proven the password here and not the second factor yet, or is known to the provider and has not proven the password. */
export type HalfIn = { person: Person; session: Session };

export type WebContext = Context<WebEnv>;

export async function openWeb(deps: Dependencies, options: WebOptions) {
  const store = await openPageStore(deps, deps.clock);
  const inside = { ...deps, store };
  const entities = new Entities(inside);
  const behindDoor = {
    deps,
    entities,
    uploads: new Uploads(inside),
    runs: new FollowedRuns(deps),
  };
  const parts: WebParts = {
    ...behindDoor,
    store,
    ...peopleIn(inside),
    connections: new PageConnections({ deps, entities, kept: new Connections(inside), options }),
    work: new SharedWork(inside),
    remembered: new RememberedHeaders(inside),
    sight: new Sights(behindDoor),
  };
  const waitingPlans = new WaitingPlans(parts);
  const checks = new Checks(parts);
  return {
    ...parts,
    options,
    sessions: new Sessions(inside),
    passwords: new Passwords(deps.randomness, options.passwordWork),
    passkeys: new Passkeys(inside),
    secondFactors: new SecondFactors(inside),
    /** Null where nobody signs in at a provider. */
    provider: options.provider === undefined ? null : new Provider(options.provider, options.origin, deps.clock),
    tags: new PayeeTags(inside),
    layouts: new FileLayouts(inside),
    providerAccounts: new ProviderAccounts(inside),
    attempts: new Attempts(inside),
    devices: new Devices(inside),
    /** The uploads that are arriving, so that nobody takes all the room by sending slowly. */
    arriving: new Places(UPLOADS_OF_ONE_MAX, UPLOADS_MAX),
    /** What the API answers again. */
    answers: new ApiAnswers(inside),
    endpoints: new WebhookEndpoints(inside),
    checks,
    reviews: new Reviews(parts, checks),
    plannings: new Plannings(parts),
    waitingPlans,
    notices: new Notices({ ...parts, deps: inside, waitingPlans, options }),
    /** The commands that work on runs. */
    runTasks: new RunTasks(parts),
    /** Aborts when the page ends: streams end then, and browsers ask for them again. */
    stopping: new AbortController(),
  };
}

/**
 * Who asks, on a route that only people who have signed in can use. On the pages of a payment or a file they have the roles
 * that are theirs there.
 */
export function signedIn(context: WebContext): { web: Web; person: Person; session: Session } {
  const { web, here, session } = context.var;
  const person = here ?? context.var.person;
  assert(person !== null && session !== null, 'a route without its requireRole');
  return { web, person, session };
}

/** The address that a request comes from: behind a proxy, the one that it adds last. */
export function addressOf(context: WebContext): string {
  const direct = context.env?.incoming?.socket.remoteAddress ?? '';
  if (!context.var.web.options.isBehindProxy) return direct;
  const forwarded = context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  return forwarded === '' ? direct : forwarded.slice(0, 64);
}

/** The bytes of a text that a browser sends as base64url. */
export function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64url, 'base64url'));
}
