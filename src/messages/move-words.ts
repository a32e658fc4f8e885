import type { ReasonOf } from '../domain/refusals/reason.ts';
import { plainCommand } from './command-line.ts';
import { damageText } from './damage-words.ts';
import type { RefusalWords, WordsOf } from './refusals/refusal-words.ts';
import { t } from './translate.ts';

const operator = () => t`Ask the person who operates payrun.`;

/** Why a journal is not moved, checked or backed up, and why none is used whose runs are elsewhere. */
export const MOVE_WORDS: WordsOf<
  | 'journal_moved'
  | 'journal_half_moved'
  | 'journal_in_use'
  | 'journal_being_moved'
  | 'journal_not_moving'
  | 'journal_same'
  | 'journal_other_chain'
  | 'journal_not_sound'
  | 'journal_in_database'
  | 'journal_backup_exists'
  | 'journal_backup_failed'
> = {
  journal_moved: ({ to, isDatabase }) => ({
    message: t`The runs of this journal were moved to ${to}.`,
    nothingSent: true,
    remedy: {
      command_line: isDatabase
        ? `Name that database: --database ${to}`
        : `Name the data directory of that file with --data-dir, and no database.`,
      page: operator(),
    },
    details: { to },
  }),
  journal_half_moved: (reason) => halfMovedWords(reason),
  journal_in_use: ({ journal, held }) => ({
    message: `Runs of ${journal} are at work, so they cannot be moved.`,
    lines: held.map(({ runId, holder }) =>
      holder === null
        ? `Run ${runId} is left to workers.`
        : `Run ${runId} is held by process ${holder.pid} on ${holder.host}.`,
    ),
    remedy: 'Wait for them, or stop those processes and the schedulers, workers and pages; then try again.',
    details: { run_id: held[0]?.runId ?? null },
  }),
  journal_being_moved: ({ holder }) => ({
    message: `Process ${holder.pid} on ${holder.host} is moving the journal.`,
    remedy: 'Wait for it, or stop that process; the next call continues.',
  }),
  journal_not_moving: ({ journal }) => ({
    message: `${journal} is in use: no copy of it was cut off.`,
    remedy: 'There is nothing to cancel.',
  }),
  journal_same: ({ journal }) => ({
    message: `Both name the same journal: ${journal}.`,
    remedy: 'Name another journal to copy to.',
  }),
  journal_other_chain: ({ journal, runId, isNewer }) => ({
    message: isNewer
      ? `${journal} has newer entries of run ${runId}: the journal to copy is an older copy.`
      : `${journal} has run ${runId} with other entries.`,
    lines: ['Nothing was copied.'],
    remedy: {
      command_line: isNewer
        ? 'Copy in the other direction, or keep the one with the newer entries.'
        : 'One of the two was restored from an older backup. Find out with `payrun verify --witness` which one knows all payments, and copy that one to an empty journal.',
      page: operator(),
    },
    details: { run_id: runId },
  }),
  journal_not_sound: ({ journal, cause }, { command }) => ({
    message: `${journal} is not as it was written: ${damageText(cause)}.`,
    remedy: { command_line: `See what \`${command('verify')}\` says of it, and restore a backup.`, page: operator() },
    details: { run_id: cause.of ?? null },
  }),
  journal_in_database: ({ database, file }) => ({
    message: `A journal in PostgreSQL is backed up with the tools of PostgreSQL: ${database}.`,
    remedy: {
      command_line: `A dump: pg_dump --format custom --schema payrun --file ${file} ${database}\nTo lose nothing, archive the log: pg_basebackup with archive_mode. The journal's guide says what each promises.`,
      page: operator(),
    },
    details: { database },
  }),
  journal_backup_exists: ({ path }) => ({
    message: `${path} exists already, and a backup never replaces anything.`,
    remedy: 'Name another file.',
    details: { path },
  }),
  journal_backup_failed: ({ path, cause }) => ({
    message: `${path} cannot be written: ${cause}.`,
    remedy: 'Check the folder and the disk.',
    details: { path },
  }),
};

function halfMovedWords({ state, other }: ReasonOf<'journal_half_moved'>): RefusalWords {
  const isLeaving = state === 'leaving';
  const copy = isLeaving
    ? plainCommand('journal', 'copy', 'FROM', other)
    : plainCommand('journal', 'copy', other, 'TO');
  const giveUp = isLeaving ? ' To keep this journal in use instead, add --cancel.' : '';
  return {
    message: isLeaving
      ? t`The runs of this journal are being copied to ${other}.`
      : t`The runs of this journal are being copied from ${other}, and are not all here.`,
    nothingSent: true,
    remedy: {
      command_line: `Let the copy finish. If it was cut off, this continues it: ${copy}${giveUp}`,
      page: operator(),
    },
    details: { other },
  };
}
