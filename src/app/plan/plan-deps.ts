import type { Actor } from '../../domain/entry.ts';
import type { NotifySettings } from '../../domain/notices/notify.ts';
import type { Journal } from '../../journal/journal.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import type { Notice } from '../../notify/notice.ts';
import type { Log } from '../../platform/log.ts';
import type { Connection } from '../service/at-service.ts';

/** Tells people what a job wants told. Never throws. */
export type Tell = (settings: NotifySettings | null, notice: () => Promise<Notice>) => Promise<void>;

/** What a plan is made with. */
export type PlanDeps = {
  openJournal(): Promise<Journal>;
  /** The service, and where is logged what is asked there. Throws a `Refusal`. */
  connect(): Promise<Omit<Connection, 'reportTo'> & { log: Log }>;
  /** Who makes the plan, as the journal names them. */
  actor: Actor;
  /** No plan is written once it is aborted. */
  stop: AbortSignal;
  tell: Tell;
  /** How a notice writes commands. */
  command: CommandLine;
};
