import process from 'node:process';
import { z } from 'zod';
import { checkJournal, type JournalChecked } from '../../../app/journal/check-journal.ts';
import { withCheckedJournal } from '../../../compose/machine/journals.ts';
import { readSettings } from '../../../compose/settings.ts';
import { count, text } from '../../../domain/entries/members.ts';
import { runId } from '../../../domain/result.ts';
import { messages } from '../../../messages/messages.ts';
import { counted, printable } from '../../../messages/text.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { exitCode } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';
import { processIo } from '../../terminal.ts';

export const output = z
  .strictObject({
    ok: z.boolean().describe('No run was altered, cut off or deleted.'),
    journal: text.describe('The file, or the database without its password.'),
    kind: z.enum(['sqlite', 'postgres']),
    version: text.describe('Of SQLite, or of the server.'),
    settings: z
      .record(text, text)
      .describe('Those that decide what is lost with the machine, as the database has them.'),
    standbys: count.nullable().describe('Standbys that receive the log now; null of a file.'),
    waits_for_standby: z
      .boolean()
      .nullable()
      .describe('Whether a payment waits until a standby has it; null of a file.'),
    moved: z
      .strictObject({ state: z.enum(['leaving', 'left', 'arriving']), other: text })
      .nullable()
      .describe('The journal that the runs go to, went to, or come from; null where this one is in use.'),
    runs: count,
    entries: count,
    altered: z.array(z.strictObject({ run_id: runId, altered_at: count.nullable(), message: text })),
    deleted: z.array(runId).describe('Runs that a report or a file of heads names, and that are gone.'),
    faults: z.array(text).describe('What is wrong beside the runs.'),
    notes: z.array(text).describe('What the settings mean, for people.'),
    exit: exitCode,
  })
  .meta({ description: 'Whether the journal is as it was written, and how safely it is kept.' });
type Output = z.output<typeof output>;

/** `payrun journal check`. Exits with 5 where the journal was altered, cut or deleted. */
export async function run(given: Given): Promise<void> {
  const settings = readSettings(given, process.env);
  const checked = await withCheckedJournal(settings, (journal) =>
    checkJournal(journal, { reportDir: settings.reportDir ?? null }),
  );
  const result = outputOf(checked);
  process.exitCode = print<Output>({ io: processIo(process.env), settings }, result, () => textOf(result));
}

function outputOf({ facts, verified }: JournalChecked): Output {
  const { storage, move, place } = facts;
  const proofs = verified.proofs.flatMap(({ runId: run_id, verification }) =>
    verification.ok
      ? []
      : [{ run_id, altered_at: verification.n, message: messages.damage.damageText(verification.damage) }],
  );
  return {
    ok: verified.isWhole,
    journal: place,
    kind: storage.kind,
    version: storage.version,
    settings: { ...storage.settings },
    standbys: storage.kind === 'postgres' ? storage.standbys : null,
    waits_for_standby: storage.kind === 'postgres' ? storage.isSynchronous : null,
    moved: move,
    runs: verified.proofs.length,
    entries: verified.proofs.reduce((sum, { verification }) => sum + verification.entries, 0),
    altered: proofs,
    deleted: verified.deleted.map(({ runId: run_id }) => run_id),
    faults: verified.faults.map((fault) => messages.damage.damageText(fault)),
    notes: notesOf(facts),
    exit: verified.isWhole ? EXIT.ok : EXIT.person_needed,
  };
}

function notesOf({ storage, move }: JournalChecked['facts']): string[] {
  const notes: string[] = [];
  if (move !== null) notes.push(MOVES[move.state](move.other));
  if (storage.kind === 'sqlite') {
    notes.push('The journal is on one disk. If that disk is lost, so is everything since the last backup.');
    return notes;
  }
  const { standbys, isSynchronous, settings } = storage;
  if (isSynchronous) notes.push('Each payment waits until a standby has it, so promoting that standby loses none.');
  else
    notes.push(
      'synchronous_standby_names is empty: a promoted standby can lack the last payments. Each run then checks the service before it sends anything.',
    );
  if (standbys === 0) notes.push('No standby receives the log now.');
  if (settings.archive_mode === 'off')
    notes.push('archive_mode is off: a restored dump lacks everything written after it.');
  return notes;
}

const MOVES: Readonly<Record<'leaving' | 'left' | 'arriving', (other: string) => string>> = {
  leaving: (other) => `Its runs are being copied to ${other}; until that is finished it takes no runs.`,
  left: (other) => `Its runs were moved to ${other}; it no longer takes runs.`,
  arriving: (other) => `Its runs are being copied from ${other}, and are not all here.`,
};

function textOf(result: Output): string {
  const { journal, kind, version, settings, runs, entries, altered, deleted, faults, notes } = result;
  const shown = Object.entries(settings).map(([name, value]) => `  ${name} = ${value === '' ? "''" : value}`);
  return `${[
    `${journal} (${kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${version})`,
    ...shown,
    ...faults.map((fault) => `The journal was altered: ${printable(fault)}.`),
    ...deleted.map((run) => `Run ${run} was deleted, or an older copy of the journal was put back.`),
    ...altered.map(({ run_id, message }) => `Run ${run_id} was altered: ${printable(message)}.`),
    `${counted(runs, 'run')}, ${entries} entries${result.ok ? ', none altered.' : '.'}`,
    ...notes,
  ].join('\n')}\n`;
}
