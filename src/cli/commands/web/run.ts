import { hostname } from 'node:os';
import process from 'node:process';
import { callsInThread } from '../../../app/background/thread.ts';
import { tasksApart } from '../../../app/launcher/tasks.ts';
import { RunReads } from '../../../app/runs/run-reads.ts';
import { knownJob } from '../../../app/schedule/known-jobs.ts';
import { connect, readSigningKey } from '../../../compose/connect.ts';
import { openDataJournal, openLog } from '../../../compose/data-dir.ts';
import { personHere } from '../../../compose/person.ts';
import { readProfile } from '../../../compose/profile.ts';
import { readSettings, type Settings, settingsForTasks } from '../../../compose/settings.ts';
import { refusalOf, startShippedService } from '../../../compose/shipped.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { listJobs } from '../../../job/jobs-folder.ts';
import type { Log } from '../../../platform/log.ts';
import { machineClock, machineRandomness } from '../../../platform/machine.ts';
import { askForBalances } from '../../../runner/plan/preflight.ts';
import { createWebApp } from '../../../web/app.ts';
import { holdPage, type PageLock } from '../../../web/page-lock.ts';
import { listenForWeb, type WebServer } from '../../../web/serve.ts';
import { removeDaily } from '../../../web/uploads/retention.ts';
import { stopOnInterrupt } from '../../interrupt.ts';
import { jsonLine } from '../../json/line.ts';
import type { WorkerSetup } from '../../worker.ts';
import type { WebOutput } from './json.ts';
import { type WebAddress, webAddress } from './web-address.ts';

const PORT_DEFAULT = 8_800;
/** So long the page waits for the service's answer before it is shown without it. */
const ANSWER_MS = 5_000;
/** So long the page waits at the end for requests that are under way. */
const STOP_MAX_MS = 8_000;

/** `payrun web`: shows the page until Ctrl-C. With `--json` one line says where, when it is ready. */
export async function runWeb(options: Record<string, unknown>): Promise<void> {
  const settings = readSettings(options, process.env);
  const address = webAddress(settings, machineClock.wallMs());
  const profile = readProfile(settings, process.env);
  const key = readSigningKey(profile);
  const isShipped = profile.base_url === null;
  // Whatever is open is closed in the opposite order, also where the page cannot be shown.
  await using open = new AsyncDisposableStack();
  // Signals are ours until the rest is closed.
  const signals = open.use(new DisposableStack());
  const place = open.adopt(takePlace(settings.dataDir), (taken) => taken.release());
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  open.defer(flush);
  keepWarnings(log);
  const journal = open.adopt(await openDataJournal(settings.dataDir), (opened) => opened.close());
  const server = open.adopt(await listening(settings, address, log), (started) => started.close(Promise.resolve()));
  const service = isShipped ? await startOrJoin(settings, log) : null;
  open.defer(async () => service?.stop());
  const program = { file: process.argv[1] ?? '', execArgv: process.execArgv, cwd: process.cwd(), env: process.env };
  const background = open.adopt(callsInThread(program.file, { settings }), (started) => started.close());
  const deps = {
    calls: background.calls,
    tasks: tasksApart(program, { given: settingsForTasks(options, process.env) } satisfies WorkerSetup, machineClock),
    clock: machineClock,
    randomness: machineRandomness,
    log,
    dataDir: settings.dataDir,
    account: personHere(),
    reads: new RunReads(journal),
    jobs: () => listJobs().map(knownJob),
  };
  const asked = isShipped ? Promise.resolve(true) : askRehearsal({ profile, key, dataDir: settings.dataDir, log });
  const rehearsal = await Promise.race([asked, machineClock.sleep(ANSWER_MS).then(() => null)]);
  const page = createWebApp(deps, {
    ...address.known(server.port),
    rehearsal,
    ...(settings.keepUploads === undefined ? {} : { keepUploadsMs: settings.keepUploads }),
  });
  open.defer(() => page.close());
  void asked.then((isRehearsal) => {
    page.web.options.rehearsal = isRehearsal;
  });
  place.at(page.web.options.origin);
  server.use(page.app);
  void page.web.runTasks.resumeCutOff();
  const interrupt = signals.adopt(
    stopOnInterrupt(() => {}),
    (held) => held.release(),
  );
  const removing = removeDaily(page.web, interrupt.signal);
  announce(settings, page.web.options.origin, page.firstUserLink(), rehearsal);
  await new Promise<void>((resolve) => {
    interrupt.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const patience = new AbortController();
  const patient = machineClock.sleep(STOP_MAX_MS, patience.signal);
  await Promise.all([server.close(patient), Promise.race([page.stop(), patient])]);
  patience.abort();
  await removing;
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
    if (!(error instanceof Refusal)) throw error;
    way.log.warn({ problem: error.message }, 'the service did not say whether it is a rehearsal');
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

async function listening(settings: Settings, { host, also, tls }: WebAddress, log: Log): Promise<WebServer> {
  const port = settings.port ?? PORT_DEFAULT;
  try {
    return await listenForWeb({ host, also, port, tls, log });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const isOther = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
    const remedy = 'Name one that it has, or leave it out.';
    if (isOther) throw new Refusal('usage', `--host ${host} is no address of this machine.`, remedy);
    if (code.startsWith('ERR_SSL') || code.startsWith('ERR_OSSL'))
      throw new Refusal('usage', `The certificate cannot be used: ${message}.`, 'Check --tls-cert and --tls-key.');
    throw refusalOf(error, settings.dataDir);
  }
}

/** The shipped service, for all that the page starts; one that is open already on the same data serves them too. */
async function startOrJoin({ dataDir }: Settings, log: Log) {
  try {
    return await startShippedService({ dataDir, log, port: 0, adminPort: 0 });
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'held') return null;
    throw error;
  }
}

function announce({ json }: Settings, url: string, firstUserUrl: string | null, rehearsal: boolean | null): void {
  if (json) {
    process.stdout.write(jsonLine<WebOutput>({ url, first_user_url: firstUserUrl, rehearsal }));
    return;
  }
  if (rehearsal) process.stdout.write('REHEARSAL: no money moves\n');
  process.stdout.write(`The page is at ${url}\n`);
  if (firstUserUrl !== null)
    process.stdout.write(
      `There is no user yet. Open this link to be the first, once, within 24 hours:\n${firstUserUrl}\n`,
    );
  process.stderr.write('Ctrl-C stops it. Runs under way continue.\n');
}
