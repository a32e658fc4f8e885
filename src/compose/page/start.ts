import { hostname } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { callsInThread } from '../../app/background/thread.ts';
import { AT_START, type DatabaseEvent, withDatabase } from '../../app/database-wait.ts';
import { tasksApart } from '../../app/launcher/tasks.ts';
import { refusalIn } from '../../app/runs/known-run.ts';
import { RunReads } from '../../app/runs/run-reads.ts';
import { knownJob } from '../../app/schedule/known-jobs.ts';
import type { RefusalReason } from '../../domain/refusals/reason.ts';
import { listJobs } from '../../job/jobs-folder.ts';
import { within } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { machineClock, machineRandomness } from '../../platform/machine.ts';
import { askForBalances } from '../../runner/plan/preflight.ts';
import { sendEvents } from '../../web/api/events.ts';
import { createWebApp } from '../../web/app.ts';
import { holdPage, type PageLock } from '../../web/page-lock.ts';
import type { Dependencies } from '../../web/parts.ts';
import { startScheduled } from '../../web/plans/scheduled-starts.ts';
import { listenForWeb, type WebServer } from '../../web/serve.ts';
import { removeDaily } from '../../web/uploads/retention.ts';
import type { Web, WebOptions } from '../../web/web.ts';
import { connect, readSigningKey } from '../connect.ts';
import { openDataJournal, openLog } from '../data-dir.ts';
import { answerOfProcess, Readiness } from '../health.ts';
import { stopOnInterrupt } from '../machine/interrupt.ts';
import { mailFrom } from '../notices.ts';
import { personHere } from '../person.ts';
import { readProfile, secretOf } from '../profile.ts';
import { readSettings, type Settings, settingsForTasks } from '../settings.ts';
import { refusalOf } from '../shipped.ts';
import { requireDatabase } from '../worker/queue.ts';
import { type PageAddress, pageAddress, unusable } from './address.ts';
import { Rehearsal, tasksWith } from './rehearsal.ts';
import { watchReturns } from './returns.ts';
import { connectOver, pageServices } from './services.ts';
import { untilReplaced } from './until-replaced.ts';
import { pageWebhooks } from './webhooks.ts';
import type { WorkerSetup } from './worker.ts';

const PORT_DEFAULT = 8_800;
/** So long the page waits for the service's answer before it is shown without it. */
const ANSWER_MS = 5_000;
/** So long the page waits at the end for requests that are under way. */
const STOP_MAX_MS = 8_000;
/** The newest payments, over whose connections returns are looked for. */
const WATCHED_RUNS_MAX = 1_000;

/** A page that listens. `firstUserUrl` makes its first user; null where there is one. `rehearsal` is null until it is known. */
export type PageShown = { url: string; firstUserUrl: string | null; rehearsal: boolean | null };

/** What the page reports: that it listens, and what becomes of its database before that. */
export type PageOutput = { onShown(shown: PageShown): void; onDatabase(event: DatabaseEvent): void };

/**
 * Shows the page until Ctrl-C. `options` as they are written. Throws a `Refusal` where it cannot be shown, or another database took
 * the place of its own.
 */
export async function showPage(options: Record<string, unknown>, { onShown, onDatabase }: PageOutput): Promise<void> {
  const settings = readSettings(options, process.env);
  if (settings.detach) requireDatabase(settings, 'detach');
  const { dataDir } = settings;
  const address = pageAddress(settings, machineClock.wallMs());
  const profile = readProfile(settings, process.env);
  const key = readSigningKey(profile);
  const isShipped = profile.base_url === null;
  // Whatever is open is closed in the opposite order, also where the page cannot be shown.
  await using open = new AsyncDisposableStack();
  // Signals are ours until the rest is closed.
  const { signal: stop, release } = stopOnInterrupt(() => {});
  open.defer(async () => release());
  const waiting = { clock: machineClock, report: onDatabase, stop };
  const place = settings.database === undefined ? open.adopt(takePlace(dataDir), (taken) => taken.release()) : null;
  const { log, flush } = openLog(settings);
  open.defer(flush);
  keepWarnings(log);
  const journal = await withDatabase(waiting, () => openDataJournal(settings), AT_START);
  if (journal === null) return;
  open.defer(() => journal.close());
  const server = open.adopt(await listening(settings, address, log), (started) => started.close(Promise.resolve()));
  const rehearsal = open.adopt(new Rehearsal({ dataDir, log }), (begun) => begun.stop());
  if (isShipped) await rehearsal.ready();
  const program = { file: process.argv[1] ?? '', execArgv: process.execArgv, cwd: process.cwd(), env: process.env };
  const setup: WorkerSetup = { given: settingsForTasks(options, process.env) };
  const background = open.adopt(callsInThread(program.file, { settings }), (started) => started.close());
  const readiness = new Readiness({ journal, clock: machineClock, stop });
  if (settings.health !== undefined) open.use(await answerOfProcess({ listen: settings.health, journal, stop }));
  const here = { settings, started: { profile, key }, journal, log, rehearsal };
  const deps = {
    ...pageMail(settings),
    webhooks: pageWebhooks(settings.allowPrivateWebhooks),
    calls: background.calls,
    tasks: tasksWith(rehearsal, tasksApart(program, setup, machineClock)),
    clock: machineClock,
    randomness: machineRandomness,
    log,
    dataDir,
    database: settings.database,
    account: personHere(),
    reads: new RunReads(journal),
    services: pageServices(here),
    jobs: () => listJobs().map(knownJob),
    isReady: () => readiness.isReady(),
  };
  const asked = isShipped ? Promise.resolve(true) : askRehearsal({ profile, key, dataDir, journal, log });
  const isRehearsal = await within(machineClock, ANSWER_MS, asked, stop);
  const keepUploads = settings.keepUploads === undefined ? {} : { keepUploadsMs: settings.keepUploads };
  const shown = { ...address.known(server.port), rehearsal: isRehearsal, ...keepUploads, ...pageProvider(settings) };
  const page = await withDatabase(waiting, () => createWebApp(deps, shown), AT_START);
  if (page === null) return;
  open.defer(() => page.close());
  void asked.then((answer) => Object.assign(page.web.options, { rehearsal: answer }));
  place?.at(page.web.options.origin);
  server.use(page.app);
  const ended = new AbortController();
  const ongoing = goingOn(page.web, here, ended.signal);
  const firstUserUrl = await withDatabase(waiting, () => page.firstUserLink(), AT_START);
  if (!stop.aborted) onShown({ url: page.web.options.origin, firstUserUrl, rehearsal: isRehearsal });
  const replaced = await untilReplaced(journal, machineClock, stop);
  ended.abort();
  const patience = new AbortController();
  const patient = machineClock.sleep(STOP_MAX_MS, patience.signal);
  await Promise.all([server.close(patient), Promise.race([page.stop(), patient])]);
  patience.abort();
  await Promise.all(ongoing);
  if (replaced !== null) throw replaced;
}

/** What goes on beside the answers, until the signal. */
function goingOn(web: Web, here: Parameters<typeof pageServices>[0], signal: AbortSignal): Promise<void>[] {
  void web.runTasks
    .resumeCutOff()
    .catch((error: unknown) => web.deps.log.error({ error }, 'runs that were cut off could not be looked for'));
  const watched = async () =>
    (await web.connections.paidOver(await here.journal.listStartedRuns(WATCHED_RUNS_MAX))).map((one) => ({
      connect: connectOver(here, web.connections.over(one)),
      looked: (why: RefusalReason | null) => web.connections.noteReturns(one.id, why),
    }));
  const returns = watchReturns({ journal: here.journal, watched, clock: machineClock, log: here.log }, signal);
  return [
    removeDaily(web, signal),
    web.notices.run(signal),
    sendEvents(web, signal),
    startScheduled(web, signal),
    returns,
  ];
}

/** How the page sends mails; nothing where it is not to send any. */
function pageMail({ mailServer, mailFrom: from }: Settings): Pick<Dependencies, 'mail'> {
  if (mailServer === undefined && from === undefined) return {};
  if (mailServer === undefined || from === undefined) throw unusable({ why: 'half_mail' });
  const smtp = mailServer.startsWith('file:') ? `file:${resolve(mailServer.slice('file:'.length))}` : mailServer;
  return { mail: mailFrom({ from, smtp }) };
}

/** At which provider people sign in; nothing where they do at none. Throws a `Refusal`. */
function pageProvider(settings: Settings): Pick<WebOptions, 'provider'> {
  const { oidcIssuer: issuer, oidcClient: clientId, oidcSecret, oidcRoles: roles, oidcGroups: groupsClaim } = settings;
  const given = [issuer, clientId, oidcSecret, roles].filter((one) => one !== undefined);
  if (given.length === 0) return {};
  if (issuer === undefined || clientId === undefined || oidcSecret === undefined || roles === undefined)
    throw unusable({ why: 'half_oidc' });
  const clientSecret = secretOf(oidcSecret, '--oidc-secret', process.env);
  return { provider: { issuer, clientId, clientSecret, groupsClaim, roles } };
}

/** Throws a `Refusal`: `held` where another page has the data directory, `usage` where it cannot be used. */
function takePlace(dataDir: string): PageLock {
  try {
    return holdPage(dataDir, { pid: process.pid, host: hostname() });
  } catch (error) {
    throw refusalOf(error, dataDir);
  }
}

/** Whether the service is a rehearsal, where no money moves; null where it does not answer, and each run shows it. */
async function askRehearsal(way: Parameters<typeof connect>[0]): Promise<boolean | null> {
  const connection = await connect(way);
  try {
    return (await askForBalances(connection.client, machineClock)).isRehearsal;
  } catch (error) {
    if (refusalIn(error) === null) throw error;
    way.log.warn({ problem: (error as Error).message }, 'the service did not show whether it is a rehearsal');
    return null;
  } finally {
    await connection.close();
  }
}

/** Warnings of Node about parts of it that a library looks for go to the log, and not to the terminal. */
function keepWarnings(log: Log): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => log.warn({ name }, message));
}

async function listening(settings: Settings, { host, also, tls }: PageAddress, log: Log): Promise<WebServer> {
  try {
    return await listenForWeb({ host, also, port: settings.port ?? PORT_DEFAULT, tls, log });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw unusable({ why: 'unknown_host', host });
    if (code.startsWith('ERR_SSL') || code.startsWith('ERR_OSSL')) throw unusable({ why: 'refused', cause: message });
    throw refusalOf(error, settings.dataDir);
  }
}
