import type { PlanConnection, PlanDeps } from '../../app/plan/plan-deps.ts';
import { type Connection, connect } from '../../compose/connect.ts';
import { openDataJournal, openLog } from '../../compose/data-dir.ts';
import type { Settings } from '../../compose/settings.ts';
import type { Actor } from '../../domain/entry.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Journal } from '../../journal/journal.ts';
import type { CommandLine } from '../../report/command-line.ts';
import { keepingRun } from '../runs/lost-run.ts';
import { requireApprovable } from './approvals.ts';
import { type OlderPlans, refuseBesideApproved, refuseBesideJob, replaceOlder } from './replaced-plans.ts';

type Here = {
  settings: Settings;
  command: CommandLine;
  service: Pick<Parameters<typeof connect>[0], 'profile' | 'key' | 'note'>;
  actor: Actor;
  stop: AbortSignal;
};

/** What a plan is made with on this machine. */
export function planDepsHere({ settings, command, service, actor, stop }: Here): PlanDeps<OlderPlans> {
  return {
    openJournal: () => openDataJournal(settings.dataDir),
    connect: () => connectForPlan(settings, service),
    awaiting(journal: Journal) {
      const means = { journal, settings, command };
      return {
        requireApprovable,
        refuseBesideApproved: (header) => refuseBesideApproved(header, means),
        refuseBesideJob: (header, approval) => refuseBesideJob(header, approval, means),
        replaceOlder: (header) => replaceOlder(header, means),
      };
    },
    actor,
    stop,
    keeping: (runId, work) => keepingRun(runId, work),
  };
}

async function connectForPlan(settings: Settings, service: Here['service']): Promise<PlanConnection> {
  const { dataDir, logLevel } = settings;
  const { log, flush } = openLog(dataDir, logLevel);
  let connection: Connection;
  try {
    connection = await connect({ ...service, dataDir, log });
  } catch (error) {
    flush();
    throw error;
  }
  const { client, scope } = connection;
  return {
    client,
    scope,
    log,
    async close() {
      await connection.close();
      flush();
    },
  };
}

export function interrupted(): Refusal {
  return new Refusal({ code: 'interrupted' });
}
