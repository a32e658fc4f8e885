import type { Profile } from '../../domain/profile.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import { foldRun } from '../../domain/run.ts';
import type { OpenRunOutcome } from '../../journal/journal.ts';
import { preflight } from '../../runner/preflight.ts';
import { machineClock, openLog } from '../compose.ts';
import { connect, readSigningKey } from '../connect.ts';
import { executeAndReport } from '../execution.ts';
import { withJournal } from '../journal-command.ts';
import type { Settings } from '../settings.ts';

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
      const profile = profileNow(run.header.profile, settings);
      const key = readSigningKey(profile);
      const connection = await connect({ profile, key, dataDir: settings.dataDir, log });
      try {
        await preflight(connection.client, machineClock, []);
        return await executeAndReport({ run, journal, writer, client: connection.client, log, io, settings });
      } finally {
        await connection.close();
      }
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

/** The profile of the run, with what the command line says of the service's place and our pace. */
function profileNow(profile: Profile, settings: Settings): Profile {
  return {
    ...profile,
    base_url: settings.baseUrl ?? profile.base_url,
    api_key: settings.apiKey ?? profile.api_key,
    signing_key_file: settings.signingKey ?? profile.signing_key_file,
    rate: settings.rate === undefined ? profile.rate : settings.rate,
    concurrency: settings.concurrency ?? profile.concurrency,
  };
}
