import { admin, allTransactions } from '../../support/service-admin.ts';
import { mostInWindow } from './arrivals.ts';
import type { Cluster } from './cluster.ts';
import type { Disturber } from './disturb.ts';
import type { JournalLook } from './journal-look.ts';
import type { Leaver } from './leaver.ts';
import { listed } from './notes.ts';
import type { Payroll } from './payrolls.ts';

const FINDINGS_MAX = 20;
/** Of the limit. */
const SHARE_LEAST = 0.95;

/** Each sentence is something that is wrong: a row paid twice or not at all, a run that did not end, books that do not add up. */
export async function wrongIn(cluster: Cluster, payrolls: readonly Payroll[], look: JournalLook): Promise<string[]> {
  const wrong = [...(await paymentsWrong(cluster, payrolls)), ...(await runsWrong(look, payrolls))];
  const { exit, stdout, stderr } = await cluster.command('verify');
  if (exit !== 0) wrong.push(`verify exits ${exit}: ${stdout}${stderr}`);
  return wrong;
}

async function paymentsWrong({ service }: Cluster, payrolls: readonly Payroll[]): Promise<string[]> {
  const wrong: string[] = [];
  const { findings } = (await admin(service, 'verify')) as { findings: unknown[] };
  wrong.push(...findings.map((finding) => `the service's books: ${JSON.stringify(finding)}`));
  const paid = new Map<number, number>();
  for (const { status, currency_out } of await allTransactions(service)) {
    const cents = Number(currency_out.value);
    if (status !== 'FAILED') paid.set(cents, (paid.get(cents) ?? 0) + 1);
  }
  for (const { file, amounts } of payrolls)
    for (const [at, cents] of amounts.entries()) {
      const times = paid.get(cents) ?? 0;
      paid.delete(cents);
      if (times !== 1) wrong.push(`row ${at + 2} of ${file} was paid ${times} times`);
    }
  for (const [cents, times] of paid) wrong.push(`${cents} cents were paid ${times} times for no row`);
  return wrong.length <= FINDINGS_MAX
    ? wrong
    : [...wrong.slice(0, FINDINGS_MAX), `and ${wrong.length - FINDINGS_MAX} others`];
}

/** Each payroll has one run that was started, and it has ended. */
async function runsWrong(look: JournalLook, payrolls: readonly Payroll[]): Promise<string[]> {
  const started = (await look.runs()).filter(({ isStarted }) => isStarted);
  return payrolls.flatMap(({ file, sha256 }) => {
    const runs = started.filter(({ input }) => input === sha256);
    const open = runs.filter(({ isEnded }) => !isEnded).map(({ id }) => `${file}: the run ${id} has not ended`);
    return runs.length === 1 ? open : [`${file}: ${runs.length} runs were started`, ...open];
  });
}

type Seen = {
  payrolls: readonly Payroll[];
  disturber: Disturber;
  /** Null where it was not measured. */
  shareQuiet: number | null;
  /** Null where it ended before payrolls were left. */
  leaver: Leaver | null;
};

/** The figures of a soak. What they show to be wrong is added to `wrong`. */
export async function figuresOf(cluster: Cluster, wrong: string[], seen: Seen): Promise<[string, string][]> {
  const { rate, notes } = cluster;
  const { payrolls, disturber, shareQuiet, leaver } = seen;
  const { arrivedMs, refused } = await cluster.arrivals.counted();
  const most = mostInWindow(arrivedMs, rate.windowMs);
  if (most > rate.requests) wrong.push(`${most} requests arrived in ${rate.windowMs} ms, of ${rate.requests}`);
  if (refused > 0) wrong.push(`the service refused ${refused} requests for their pace`);
  if (shareQuiet !== null && shareQuiet < SHARE_LEAST) wrong.push(`${shareQuiet} of the limit was used`);
  const rows = payrolls.reduce((sum, { amounts }) => sum + amounts.length, 0);
  const ways = new Map<string, number>();
  for (const { way } of payrolls) ways.set(`by ${way}`, (ways.get(`by ${way}`) ?? 0) + 1);
  return [
    ['payrolls', `${payrolls.length} (${listed(ways)}), ${rows} rows`],
    ['disturbances', `${disturber.total} (${listed(disturber.done)})`],
    ['lost by promotions', `${disturber.lostBytes} bytes of the log`],
    ['processes that ended', listed(notes.restarts)],
    ['what they saw', listed(notes.events)],
    ['why', listed(notes.messages)],
    [
      'by hand',
      `${leaver?.resumed ?? 0} runs resumed, ${leaver?.resolved ?? 0} payouts recognized, ${leaver?.ranByHand ?? 0} periods run`,
    ],
    [
      'requests',
      `${arrivedMs.length}; the most in ${rate.windowMs} ms: ${most} of ${rate.requests}; refused: ${refused}`,
    ],
    ['of the limit, undisturbed', shareQuiet === null ? 'not measured' : `${(shareQuiet * 100).toFixed(1)} %`],
    ['wrong', String(wrong.length)],
  ];
}
