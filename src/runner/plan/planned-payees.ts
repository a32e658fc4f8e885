import { createHash } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import type { Entry } from '../../domain/entry.ts';
import type { PlannedPayees } from '../../domain/plan.ts';
import { assert } from '../../domain/refusal.ts';
import { foldRun } from '../../domain/run/run.ts';
import type { Journal, RunWriter } from '../../journal/journal.ts';
import type { Clock, Randomness } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { ensureAll } from '../provision/ensure.ts';
import { idOf, neededRecipients } from '../provision/payees.ts';
import { recentUnknownPayments } from '../reconcile/suspects.ts';
import { openContext } from '../recorder.ts';
import type { RunContext } from '../run-context.ts';

/** Where one record stands: its id at the service, or that it would be made, or that only a person can decide which it is. */
export type PayeeRecord = { key: string; id: string | 'new' | 'unclear' };

/** Which of the service's records the payouts of a run would go to, each once, in the order of its first row. */
export type PayeeFindings = { recipients: PayeeRecord[]; accounts: PayeeRecord[] };

export type FindPayees = {
  /** The run's header and rows, which need not be in the journal. */
  entries: readonly Entry[];
  journal: Journal;
  client: Client;
  clock: Clock;
  randomness: Randomness;
  log: Log;
  stop: AbortSignal;
};

/**
 * Looks for the payees of a run in the journal and at the service, exactly as the run would, and makes none. Throws a
 * `Halt` where the service does not answer.
 */
export function findPayees(options: FindPayees): Promise<PayeeFindings> {
  return findIn(openPlanning(options));
}

/** The same, and by row the payments of the last two weeks that look like it and that the journal does not know. */
export async function surveyService(
  options: FindPayees,
): Promise<{ payees: PayeeFindings; unknown: Map<number, string[]> }> {
  const planning = openPlanning(options);
  const payees = await findIn(planning);
  return { payees, unknown: await recentUnknownPayments(planning.context) };
}

async function findIn({ context, made }: Planning): Promise<PayeeFindings> {
  const note = (key: string): Promise<void> => {
    made.add(key);
    return Promise.resolve();
  };
  await ensureAll(context, {
    recipient: (_, { key }) => note(key),
    account: (_, __, { key }) => note(key),
  });
  const findings: PayeeFindings = { recipients: [], accounts: [] };
  for (const recipient of neededRecipients(context.run).values()) {
    const isNew = made.has(recipient.key);
    const id = recipient.id ?? idOf(context.run, 'recipient', recipient.key) ?? (isNew ? 'new' : 'unclear');
    findings.recipients.push({ key: recipient.key, id });
    for (const { key } of recipient.accounts.values()) {
      const isToMake = isNew || made.has(key);
      findings.accounts.push({ key, id: idOf(context.run, 'account', key) ?? (isToMake ? 'new' : 'unclear') });
    }
  }
  return findings;
}

/** What of the findings is part of the plan. */
export function plannedPayees({ recipients, accounts }: PayeeFindings): PlannedPayees {
  const lines = [...recipients.map((one) => `recipient ${one.key} ${one.id}`)];
  lines.push(...accounts.map((one) => `account ${one.key} ${one.id}`));
  // By code units, which every machine does alike.
  lines.sort((one, other) => (one < other ? -1 : Number(one > other)));
  const hash = createHash('sha256');
  for (const line of lines) hash.update(`${line}\n`);
  return {
    recipients_to_create: recipients.filter(({ id }) => id === 'new').length,
    accounts_to_create: accounts.filter(({ id }) => id === 'new').length,
    sha256: hash.digest('hex'),
  };
}

type Planning = { context: RunContext; made: Set<string> };

/** A run in memory alone: what it records is forgotten with it, and it may send nothing. */
function openPlanning(options: FindPayees): Planning {
  const { entries, ...rest } = options;
  const at = options.clock.wallMs();
  const run = foldRun(entries.map((entry, n) => ({ n: n + 1, at, epoch: 1, entry })));
  assert(run.header, 'a plan without its header');
  const writer: RunWriter = {
    runId: run.header.run_id,
    epoch: 1,
    mayHaveCompany: false,
    append: () => Promise.resolve(options.clock.wallMs()),
    start: () => Promise.reject(new Error('a plan in memory is not started')),
    holds: () => false,
    renew: () => Promise.resolve(),
    release: () => Promise.resolve(),
  };
  return { context: openContext({ ...rest, run, writer }), made: new Set() };
}
