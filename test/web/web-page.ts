import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type CallDeps, type Calls, callsHere } from '../../src/app/background/calls.ts';
import { callsInThread } from '../../src/app/background/thread.ts';
import type { CancelDeps } from '../../src/app/cancel/cancel.ts';
import type { Tasks } from '../../src/app/launcher/tasks.ts';
import { RunReads } from '../../src/app/runs/run-reads.ts';
import { LEASE_MS, openDataJournal } from '../../src/compose/data-dir.ts';
import { reportIn, serviceDeps } from '../../src/compose/run-deps.ts';
import { readSettings, type Settings } from '../../src/compose/settings.ts';
import { withdrawalsOf } from '../../src/compose/withdrawals.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/sqlite/open.ts';
import { pageSteps } from '../../src/messages/page-steps.ts';
import { silentLog } from '../../src/platform/log.ts';
import { machineClock, machineRandomness } from '../../src/platform/machine.ts';
import { createWebApp, type WebApp } from '../../src/web/app.ts';
import type { PageServices } from '../../src/web/page-services.ts';
import type { Dependencies } from '../../src/web/parts.ts';
import type { WebOptions } from '../../src/web/web.ts';
import { type VirtualClock, virtualClock } from '../client/virtual-clock.ts';
import { temporaryFolder } from '../support/payrun.ts';
import { PAYRUN_MAIN } from '../support/payrun-process.ts';
import { PASSWORD } from './roaming.ts';

/** Argon2id with next to no work: what it is worth has a test of its own. */
const QUICK = { memoryKib: 64, passes: 1 };

export { PASSWORD };

export type PageOptions = NonNullable<Parameters<typeof openPage>[0]>;

export type TestPage = WebApp & {
  clock: VirtualClock;
  dataDir: string;
  journal: Journal;
  origin: string;
  /** A browser that nobody has used yet. `address` is where it is. */
  browser(options?: { address?: string }): Browser;
  /** The first person, in a browser of their own. Roles beside administrator. */
  first(name: string, roles?: readonly string[]): Promise<Browser>;
  /** Somebody with these roles, in a browser of their own. */
  person(name: string, roles: readonly string[]): Promise<Browser>;
};

export type Answer = { status: number; headers: Headers; text: string; location: string | null };

/** Keeps its cookie, and sends with every post what browsers send. */
export type Browser = {
  /** As it is sent: `payrun=…`; empty where it has none. */
  cookie: string;
  /** The one by which the browser is known from an earlier sign-in. */
  device: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(
    path: string,
    form?: Record<string, string | readonly string[]>,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Posts a body as it is: a form with a file, or what an attacker makes of one. */
  send(path: string, body: RequestInit['body'], headers?: Record<string, string>): Promise<Answer>;
};

/** The page without a port, in virtual time, over a new data directory. It starts no processes unless `tasks` do. */
export async function openPage({
  journal: given = null,
  options = {},
  deps = {},
  services = {},
  calls = {},
  tasks = {},
  isAlive = () => false,
  isReal = false,
  hasThread = false,
}: {
  /** Instead of one of its own. */
  journal?: Journal | null;
  options?: Partial<WebOptions>;
  deps?: Partial<Dependencies>;
  services?: Partial<PageServices>;
  calls?: Partial<Calls>;
  /** Instead of real processes. */
  tasks?: Partial<Tasks>;
  /** Whether the process that holds a run still runs. */
  isAlive?: () => boolean;
  /** For real commands: the machine's clock and processes. The page's `clock` moves nothing then. */
  isReal?: boolean;
  /** Whether `calls` are made in the thread beside the page, as for users. For a page that is real. */
  hasThread?: boolean;
} = {}): Promise<TestPage> {
  const clock = virtualClock();
  const dataDir = temporaryFolder();
  const path = join(dataDir, 'journal.db');
  const process = { host: 'test', boot_id: 'boot', pid: 1, started: 'now' };
  const opened = isReal
    ? await openDataJournal({ dataDir })
    : openJournal({ path, clock, randomness: machineRandomness, process, isAlive });
  const journal = given ?? opened;
  const origin = options.origin ?? 'http://localhost:8800';
  const none = () => {
    throw new Error('this page starts no processes');
  };
  const background = hasThread ? callsInThread(PAYRUN_MAIN, { settings: settingsOf(dataDir) }) : null;
  const app = await createWebApp(
    {
      clock: isReal ? machineClock : clock,
      randomness: machineRandomness,
      log: silentLog,
      dataDir,
      account: 'payrun@desk-7',
      reads: new RunReads(journal),
      calls: {
        ...(background?.calls ?? callsHere(callDeps(journal, deps.dataDir ?? dataDir))),
        ...calls,
      },
      tasks: { check: none, plan: none, retry: none, run: none, resume: none, ...tasks },
      services: { ...NO_SERVICES, ...services },
      jobs: () => [],
      isReady: async () => true,
      ...deps,
    },
    { origin, alsoHosts: ['127.0.0.1:8800'], isBehindProxy: false, rehearsal: true, passwordWork: QUICK, ...options },
  );
  onTestFinished(async () => {
    await app.close();
    await background?.close();
    await opened.close();
  });
  const page: TestPage = {
    ...app,
    clock,
    dataDir,
    journal,
    origin,
    browser: ({ address = '127.0.0.1' } = {}) => newBrowser(page, address),
    async first(name, roles = []) {
      const token = (await app.firstUserLink())?.split('#')[1] ?? '';
      return enter(page, { token, name, role: roles, password: PASSWORD, again: PASSWORD });
    },
    async person(name, roles) {
      const { people } = app.web;
      const token = await people.invite((await people.add(name, roles as never)).id);
      return enter(page, { token, password: PASSWORD, again: PASSWORD });
    },
  };
  return page;
}

/** A page at its rehearsal alone, which nobody asks. */
const NO_SERVICES: PageServices = {
  started: null,
  hasRehearsal: true,
  keysFolder: '/nowhere/keys',
  keyFiles: () => [],
  read: () => ({ ok: false, problems: ['this page reads no profiles'] }),
  profileHere: (profile) => profile,
  test: async () => ({ ok: false, message: 'this page tests nothing', remedy: '' }),
  balances: async () => null,
};

function settingsOf(dataDir: string): Settings {
  return readSettings({ dataDir, rate: '0' }, {});
}

/** As in the thread beside the page, at the service of the data directory. */
function callDeps(journal: Journal, dataDir: string): CallDeps {
  const settings = settingsOf(dataDir);
  const service = serviceDeps({ journal, settings, log: silentLog, io: { stderr: () => {} } });
  const whileLooking: CancelDeps['whileLooking'] = (work) => work(new AbortController().signal);
  return {
    journal,
    clock: machineClock,
    log: silentLog,
    report: reportIn(pageSteps),
    withdrawals: (run) => withdrawalsOf(run, { dataDir }),
    cancel: () => ({ ...service, leaseMs: LEASE_MS, whileLooking }),
  };
}

async function enter(page: TestPage, form: Record<string, string | readonly string[]>): Promise<Browser> {
  const browser = page.browser();
  const { status, text } = await browser.post('/welcome/enter', form);
  if (status !== 303) throw new Error(`could not come in: ${status} ${text}`);
  return browser;
}

function newBrowser(page: TestPage, address: string): Browser {
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const request = new Request(new URL(path, page.origin), { ...init, redirect: 'manual' });
    const cookies = [browser.cookie, browser.device].filter((cookie) => cookie !== '');
    if (cookies.length > 0) request.headers.set('cookie', cookies.join('; '));
    // An empty header is one that this browser does not send.
    for (const [name, value] of [...request.headers]) if (value === '') request.headers.delete(name);
    const bindings = { incoming: { socket: { remoteAddress: address } } };
    const answer = await page.app.fetch(request, bindings as never);
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const name = /^(__Host-)?payrun(-\d+)?-device=/.test(pair) ? 'device' : 'cookie';
      browser[name] = pair.endsWith('=') ? '' : pair;
    }
    return {
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
      location: answer.headers.get('location'),
    };
  };
  const browser: Browser = {
    cookie: '',
    device: '',
    get: (path, headers = {}) => ask(path, { headers }),
    post: (path, form = {}, headers = {}) => {
      const body = new URLSearchParams();
      for (const [name, values] of Object.entries(form))
        for (const value of [values].flat()) body.append(name, String(value));
      return ask(path, {
        method: 'POST',
        body,
        headers: { origin: page.origin, 'sec-fetch-site': 'same-origin', ...headers },
      });
    },
    send: (path, body, headers = {}) =>
      ask(path, {
        method: 'POST',
        body: body ?? null,
        headers: { origin: page.origin, 'sec-fetch-site': 'same-origin', ...headers },
        duplex: 'half',
      } as RequestInit),
  };
  return browser;
}
