import { currencyLabel } from '../domain/currencies.ts';
import type { Entry, RunRow } from '../domain/entry.ts';
import { formatMajor, groupThousands } from '../domain/money.ts';
import type { RemittanceSettings } from '../domain/notices/notify.ts';
import { fillTemplate, type RemittanceField } from '../domain/notices/remittance-template.ts';
import type { DeliveryFault } from '../domain/outcomes/notice-outcome.ts';
import { assert } from '../domain/refusal.ts';
import type { RunState } from '../domain/run/run-state.ts';
import { isoUtc } from '../domain/time.ts';
import { type Clock, within } from '../platform/clock.ts';
import { rowMasker } from '../report/model/identifiers.ts';
import { addressOf, dueRemittances } from '../report/model/remittances.ts';
import { type Handed, type Mail, MailLine, readSmtpAddress, type SmtpAddress } from './mail-line.ts';
import { faultOf, type Secrets } from './notice.ts';
import { oneLine } from './redact.ts';

export type RemitDeps = {
  /** Resolves when the entry is on disk and in the run. Rejects where the journal cannot be written: nothing more is sent. */
  record(entry: Entry): Promise<void>;
  clock: Clock;
  secrets: Secrets;
  /** Aborted by Ctrl-C: nothing more is begun. */
  stop: AbortSignal;
};

const LINES_MAX = 4;
/** For one message, and for all. */
const SEND_MS = 20_000;
const REMIT_MS = 600_000;
/** What is under way at Ctrl-C has so long. */
const GRACE_MS = 5_000;
/** So many in a row that the mail server did not take, and it is not asked for more: it would refuse them all. */
const FAILURES_MAX = 3;

/**
 * Sends advice to each payee whose payout is completed, once. That it is begun is on disk before the message leaves, and
 * what was begun is never sent again, whatever became of it. Returns why not all were begun, or null. Rejects only where the
 * journal does.
 */
export async function remit(run: RunState, deps: RemitDeps): Promise<DeliveryFault | null> {
  const settings = run.notices.settings?.remittance ?? null;
  const due = dueRemittances(run);
  if (settings === null || due.length === 0) return null;
  const mailOf = mailWriter(run, settings);
  let address: SmtpAddress;
  try {
    address = readSmtpAddress(settings.smtp, deps.secrets);
  } catch (error) {
    return faultOf(error);
  }
  const round = new Round(deps);
  try {
    const lines = Array.from({ length: Math.min(LINES_MAX, due.length) }, () => work(round, address, due, mailOf));
    const done = await Promise.allSettled(lines);
    const failed = done.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  } finally {
    round.end();
  }
  return due.length === 0 ? null : (round.why ?? { fault: 'no_time' });
}

/** What the lines share: when to begin no more, when to end, and why. */
class Round {
  readonly deps: RemitDeps;
  why: DeliveryFault | null = null;
  readonly #noMore = new AbortController();
  readonly #over = new AbortController();
  #failures = 0;

  constructor(deps: RemitDeps) {
    this.deps = deps;
    const { clock, stop } = deps;
    void clock.sleep(REMIT_MS, this.over).then(() => this.#noMore.abort());
    const interrupted = (): void => {
      this.#noMore.abort();
      void clock.sleep(GRACE_MS, this.over).then(() => this.end());
    };
    stop.addEventListener('abort', interrupted, { once: true });
    if (stop.aborted) interrupted();
  }

  /** Nothing more is begun. */
  get isEnding(): boolean {
    return this.#noMore.signal.aborted;
  }

  /** Connections are closed, whatever is under way. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  taken(): void {
    this.#failures = 0;
  }

  failed(why: DeliveryFault): void {
    this.#failures++;
    if (this.#failures >= FAILURES_MAX) this.giveUp(why);
  }

  giveUp(why: DeliveryFault): void {
    this.why ??= why;
    this.#noMore.abort();
  }

  end(): void {
    this.#noMore.abort();
    this.#over.abort();
  }
}

/** Takes rows from `due`, one at a time, over a connection of its own. */
async function work(round: Round, address: SmtpAddress, due: RunRow[], mailOf: (row: RunRow) => Mail): Promise<void> {
  let line: MailLine | null = null;
  try {
    while (!round.isEnding && due.length > 0) {
      line ??= await opened(round, address);
      if (line === null || round.isEnding) return;
      const row = due.shift();
      if (row === undefined) return;
      if (await isTaken(round, line, row, mailOf(row))) continue;
      line.close();
      line = null;
    }
  } catch (error) {
    round.end();
    throw error;
  } finally {
    line?.close();
  }
}

/** Null where the server cannot be reached: nothing is begun, and the rows wait for another time. */
async function opened(round: Round, address: SmtpAddress): Promise<MailLine | null> {
  try {
    return await MailLine.open(address, round.over);
  } catch (error) {
    round.giveUp(faultOf(error));
    return null;
  }
}

async function isTaken(round: Round, line: MailLine, { row }: RunRow, mail: Mail): Promise<boolean> {
  const { record, clock } = round.deps;
  await record({ kind: 'remittance', row });
  const noAnswer: Handed = { outcome: 'unknown', why: { fault: 'no_answer' } };
  const handed = (await within(clock, SEND_MS, line.send(mail))) ?? noAnswer;
  if (handed.outcome === 'taken') {
    await record({ kind: 'remittance_sent', row });
    round.taken();
    return true;
  }
  if (handed.outcome === 'refused') await record({ kind: 'remittance_refused', row, reason: handed.why.text });
  round.failed(handed.why);
  return false;
}

/** Account numbers that somebody has copied into a name or a reference are masked, as in a report. */
function mailWriter(run: RunState, { subject, body, company, from }: RemittanceSettings): (row: RunRow) => Mail {
  const { header } = run;
  assert(header !== null, 'a run without its header');
  const maskRow = rowMasker(header.input);
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return (row) => {
    const payout = run.payouts.get(row.row);
    const to = addressOf(row);
    assert(row.order !== null && to !== null && payout?.state === 'completed', `row ${row.row} is not to be notified`);
    const { hide } = maskRow(row);
    const plain = (text: string): string => oneLine(hide(text));
    const { payee, reference } = row.order;
    const { received_minor, received_currency } = payout.final;
    const values: Record<RemittanceField, string> = {
      payee: plain(payee.name),
      payee_id: plain(payee.payee_id ?? ''),
      amount: groupThousands(formatMajor(BigInt(received_minor), received_currency.decimals)),
      currency: currencyLabel(received_currency),
      reference: plain(reference ?? ''),
      paid_on: isoUtc(payout.finishedAt).slice(0, 10),
      company: oneLine(company ?? ''),
    };
    return {
      from,
      to: [to],
      subject: oneLine(fillTemplate(subject, values)),
      text: fillTemplate(body, values),
      messageId: `remittance.${header.run_id}.${row.row}@${domain}`,
    };
  };
}
