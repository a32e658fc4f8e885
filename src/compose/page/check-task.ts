import { type CopyWanted, checkFile } from '../../app/check/check-file.ts';
import { checkResultOf } from '../../app/check/check-result.ts';
import { columnMapOf } from '../../app/check/column-map.ts';
import type { FileOrder } from '../../app/check/reading.ts';
import { sumsOfAllRows } from '../../app/check/sheet-sums.ts';
import type { OrderOf, ValueOf } from '../../app/launcher/tasks.ts';
import { lookForRetriable, type Retriable } from '../../app/retry/retriable.ts';
import type { RetryReason } from '../../domain/refusals/run-reasons.ts';
import { findJob } from '../../job/jobs-folder.ts';
import { loadTranslations } from '../../messages/translations.ts';
import { ANYBODY } from '../../messages/viewer.ts';
import { machineClock } from '../../platform/machine.ts';
import { requireJournal, withJournal } from '../machine/here.ts';
import { writeOutput } from '../machine/write-output.ts';
import { readExplicitColumns } from '../named-input.ts';
import { readSettings, type Settings } from '../settings.ts';

type Given = Record<string, unknown>;

/** The check of an upload, and a copy of it where one is asked for. */
export async function checkTask(given: Given, order: OrderOf<'check'>): Promise<ValueOf<'check'>> {
  const { forgetColumns, copy, entity } = order;
  const { settings, ...file } = openOrder(given, order);
  const corrects = order.corrects === null ? null : await readCorrected(settings, order.corrects);
  const { dataDir, database } = settings;
  const deps = { dataDir, database, clock: machineClock };
  const wanted = copyWanted(copy);
  const { read, rows, copied } = await checkFile(deps, {
    ...file,
    entity,
    settings,
    forgetColumns,
    corrects,
    copy: wanted,
  });
  if (copied?.outcome === 'annotated') await writeOutput(copy?.path ?? '', copied.content);
  return { ...checkResultOf(read), map: columnMapOf(read, rows), ...sumsOfAllRows(read) };
}

function copyWanted(copy: OrderOf<'check'>['copy']): CopyWanted | null {
  if (copy === null) return null;
  if (copy.kind === 'cells') return copy;
  const { kind, language, namesRuns } = copy;
  if (language !== 'en') loadTranslations();
  const reader = { ...ANYBODY, language, ...(!namesRuns && { sees: () => false }) };
  return { kind, audience: 'page_copy', reader };
}

/** What can be corrected of a run, or why nothing can. */
async function readCorrected(settings: Settings, runId: string): Promise<Retriable | RetryReason> {
  await requireJournal(settings);
  return withJournal(settings, (here) => lookForRetriable(runId, here));
}

/** The job, the settings and the columns of a file: what a person chose for it counts before what the page was started with. */
export function openOrder(given: Given, { path, name, job: jobFile, reading, edits, memory }: FileOrder) {
  const job = jobFile === null ? null : findJob(jobFile);
  const rails = Object.entries(reading.rails).map(([currency, rail]) => `${currency}=${rail}`);
  const chosen = {
    ...(reading.sheet !== null && { sheet: reading.sheet }),
    ...(reading.decimal !== null && { decimal: reading.decimal }),
    ...(reading.encoding !== null && { encoding: reading.encoding }),
    ...(reading.currency !== null && { currency: reading.currency }),
    ...(reading.foldReferences && { foldReferences: true }),
    ...(rails.length > 0 && { defaultRail: rails }),
  };
  const settings = readSettings({ ...given, ...chosen }, {}, job);
  const means = Object.entries(reading.columns).map(([header, column]) => `${header}=${column}`);
  const columns = readExplicitColumns(means.length > 0 ? means : (settings.column ?? []));
  return { path, name, job, settings, columns, edits, memory };
}
