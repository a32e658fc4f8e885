import process from 'node:process';
import type { Profile } from '../../domain/profile.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import { foldRun, type RunState } from '../../domain/run.ts';
import type { OpenRunOutcome } from '../../journal/journal.ts';
import { preflight } from '../../runner/preflight.ts';
import { machineClock, openLog } from '../compose.ts';
import { type Connection, connect, readSigningKey } from '../connect.ts';
import { executeAndReport, wasAnythingSent } from '../execution.ts';
import { withJournal } from '../journal-command.ts';
import { profileNow } from '../profile.ts';
import { proveSameService } from '../same-service.ts';
import { noteOf, readWebhookKeys, whileReceiving } from '../webhooks.ts';

/** `payrun resume RUN`: the run goes on from its journal alone; options may say where the service is now. */
export async function runResume(options: Record<string, unknown>): Promise<void> {
  const runId = String(options.run);
  await withJournal(options, async ({ journal, io, settings }) => {
    const opened = await journal.openRun(runId);
    const writer = writerOf(runId, opened);
    const { log, flush } = openLog(settings.dataDir, settings.logLevel);
    try {
      const run = foldRun(journal.readRun(runId));
      assert(run.header, `run ${runId} does not begin with its creation`);
      const profile = profileNow(run.header.profile, settings, process.env);
      const key = readSigningKey(profile);
      const keys = readWebhookKeys(profile, process.env);
      const note = noteOf(io, settings);
      return await whileReceiving({ webhooks: profile.webhooks, keys, journal, log, note }, async (hints) => {
        const connection = await connect({ profile, key, dataDir: settings.dataDir, log });
        const { client } = connection;
        try {
          await reach(run, connection, profile);
          return await executeAndReport({ run, journal, writer, client, log, io, settings, hints });
        } finally {
          await connection.close();
        }
      });
    } finally {
      await writer.release();
      flush();
    }
  });
}

function writerOf(runId: string, opened: OpenRunOutcome) {
  switch (opened.outcome) {
    case 'opened':
      return opened.writer;
    case 'unknown':
      throw new Refusal('usage', `There is no run ${runId}.`, 'List them with `payrun runs`.');
    case 'held':
      throw new Refusal(
        'held',
        `Run ${runId} is held by process ${opened.holder.pid} on ${opened.holder.host}.`,
        'Wait for it, or stop that process; nothing is lost by either.',
      );
  }
}

/** Asks the service once. One that is away after payouts were sent is no refusal: the run stays stopped. */
async function reach(run: RunState, connection: Connection, profile: Profile): Promise<void> {
  const runId = run.header?.run_id ?? '';
  try {
    const { isRehearsal } = await preflight(connection.client, machineClock, []);
    await proveSameService(connection.client, run, profile, isRehearsal);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'unreachable' || !wasAnythingSent(run)) throw error;
    const remedy = `Payouts of this run were sent: when the service is back, \`payrun resume ${runId}\`.`;
    throw new Refusal('person_needed', error.message, remedy, { run_id: runId });
  }
}
