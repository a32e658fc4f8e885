import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Disk, type DiskRecord, readDiskLog, tokensIn } from '../support/disk-log.ts';
import { copyJournal, readImage } from '../support/journal-image.ts';
import { type Ended, spawnPayrun } from '../support/payrun-process.ts';
import { allTransactions } from '../support/service-admin.ts';
import { disagreementsOf } from './agreement.ts';
import { endText, SoakPayroll } from './payroll.ts';

export type PowerOptions = {
  rows: number;
  /** Of each so many transfers that leave, the image of that moment is kept and resumed from when all is paid. */
  everyRows: number;
  /** Power cuts that are planned for each payroll; a run may end before its last. */
  cuts: number;
  /** The library of `failing-disk.c`. */
  preload: string;
};

/** What happened to one payroll. Its folder is gone where nothing disagreed. */
export type PowerEnd = {
  seed: number;
  folder: string;
  cuts: number;
  /** Of those, how many left a part of what was not synced. */
  torn: number;
  /** Of those, how many came after the sync, and not before it. */
  late: number;
  /** Moments at which what would be on the disk was looked at. */
  images: number;
  transfers: number;
  /** Old copies that were resumed from when everybody was paid, and how many of them waited for a person. */
  copies: number;
  suspected: number;
  disagreements: string[];
};

/**
 * Pays one payroll while the power is cut at random syncs of its journal. After each cut the journal is what a drive may
 * keep at worst: of each file what was synced, and nothing or a part of what was written since. Whatever had left the
 * process by then must be in it. In the end everything is compared row by row, and images of earlier moments are resumed
 * from, as old backups would be: they may send nothing.
 */
export async function powerPayroll(seed: number, options: PowerOptions): Promise<PowerEnd> {
  const payroll = await SoakPayroll.create(options.rows, seed, 'fast');
  const counted = { cuts: 0, torn: 0, late: 0, images: 0, transfers: 0, copies: 0, suspected: 0 };
  const end: PowerEnd = { seed, folder: payroll.folder, ...counted, disagreements: [] };
  try {
    const copies = await payThroughCuts(payroll, seed, options, end);
    const runId = await payroll.findRun();
    if (runId === null) throw new Error('there is no run');
    const { file, dataDir, reportDir, service } = payroll;
    end.disagreements.push(...(await disagreementsOf(service, { runId, file, dataDir, reportDir })));
    for (const copy of copies) await resumeCopy(payroll, runId, copy, end);
  } catch (error) {
    end.disagreements.push(error instanceof Error ? String(error.stack) : String(error));
  } finally {
    await payroll.end();
  }
  if (end.disagreements.length === 0) rmSync(payroll.folder, { recursive: true, force: true });
  return end;
}

/** Gives the folders of the images that are kept. */
async function payThroughCuts(
  payroll: SoakPayroll,
  seed: number,
  options: PowerOptions,
  end: PowerEnd,
): Promise<string[]> {
  const copies: string[] = [];
  for (let process = 1; ; process++) {
    const folder = join(payroll.folder, `process-${process}`);
    await payroll.findRun();
    copyJournal(payroll.dataDir, join(folder, 'before'));
    const isCut = end.cuts < options.cuts;
    const kind = kindOfCut(seed + end.cuts);
    const ended = await (await payroll.go(environment(payroll, options, folder, isCut ? kind : null))).ended;
    const disk = new Disk(join(folder, 'before'));
    copies.push(...(await lookAtSends(readDiskLog(join(folder, 'disk.log')), disk, folder, options, end)));
    if (ended.exit === 0) return copies;
    if (await payroll.acceptLostFirst(ended)) continue;
    if (!isCut || !existsSync(join(folder, 'cut'))) throw new Error(`it did not finish: ${endText(ended)}`);
    end.cuts++;
    if (kind.isTorn) end.torn++;
    if (kind.isLate) end.late++;
    disk.write(payroll.dataDir, kind.isTorn ? payroll.random : null);
  }
}

type KindOfCut = { isTorn: boolean; isLate: boolean };

/** In turn, so that four cuts are of every kind. */
function kindOfCut(nth: number): KindOfCut {
  return { isTorn: nth % 2 === 0, isLate: nth % 4 < 2 };
}

function environment(
  payroll: SoakPayroll,
  { rows, preload }: PowerOptions,
  folder: string,
  cut: KindOfCut | null,
): Record<string, string> {
  // Few syncs open a journal and create a run; those of payees and payouts are as many as the rows, or fewer.
  const most = payroll.random() < 0.3 ? 10 : rows;
  const sync = 1 + Math.floor(payroll.random() * most);
  return {
    LD_PRELOAD: preload,
    DISK_FILES: join(payroll.dataDir, 'journal.db'),
    DISK_LOG: join(folder, 'disk.log'),
    DISK_NOTE: join(folder, 'cut'),
    ...(cut ? { CUT_SYNC: String(sync), CUT_SYNC_LATE: cut.isLate ? '1' : '' } : {}),
  };
}

/** Replays the log on the disk: each token that left must be in what was synced by then. Gives the images it kept. */
async function lookAtSends(
  records: DiskRecord[],
  disk: Disk,
  folder: string,
  options: PowerOptions,
  end: PowerEnd,
): Promise<string[]> {
  const kept: string[] = [];
  for (const record of records) {
    disk.apply(record);
    const tokens = record.kind === 'sent' ? tokensIn(record) : [];
    if (tokens.length === 0) continue;
    const image = join(folder, 'image');
    disk.write(image);
    end.images++;
    const durable = (await readImage(image)).tokens;
    for (const token of tokens) if (!durable.has(token)) end.disagreements.push(`${token} left before it was synced`);
    if (!record.bytes.includes('/transaction.transfer ')) continue;
    end.transfers++;
    if (end.transfers % options.everyRows !== 0) continue;
    const copy = join(folder, `copy-${end.transfers}`);
    disk.write(copy);
    kept.push(copy);
  }
  return kept;
}

/** An old copy is put back after everybody was paid: nothing may change at the service. */
async function resumeCopy(payroll: SoakPayroll, runId: string, copy: string, end: PowerEnd): Promise<void> {
  const { service, rows } = payroll;
  const before = await service.arrived('changes');
  const where = ['--data-dir', copy, '--report-dir', join(copy, 'reports'), '--poll-every', '100ms', '--json'];
  const ended = await spawnPayrun(['resume', runId, ...where]).ended;
  end.copies++;
  if (ended.exit === 5) end.suspected++;
  const said = `${copy} put back: ${endText(ended)}`;
  if (ended.exit !== 0 && ended.exit !== 5) end.disagreements.push(said);
  if (ended.exit === 0 && completed(ended) !== rows) end.disagreements.push(`not all are completed: ${said}`);
  const sent = (await service.arrived('changes')) - before;
  if (sent !== 0) end.disagreements.push(`${sent} changing requests: ${said}`);
  const held = (await allTransactions(service.ready)).filter(({ status }) => status !== 'FAILED').length;
  if (held !== rows) end.disagreements.push(`${held} transactions of ${rows} rows: ${said}`);
}

function completed({ stdout }: Ended): number {
  return JSON.parse(stdout).counts?.completed ?? 0;
}

export type PowerTotals = Omit<PowerEnd, 'seed' | 'folder'> & { payrolls: number; rows: number };

/** One payroll after the other, of seeds that count on from the first. */
export async function powerSoak(
  payrolls: number,
  firstSeed: number,
  options: PowerOptions,
  onEnd: (end: PowerEnd) => void = () => {},
): Promise<PowerTotals> {
  const totals: PowerTotals = {
    payrolls: 0,
    rows: 0,
    cuts: 0,
    torn: 0,
    late: 0,
    images: 0,
    transfers: 0,
    copies: 0,
    suspected: 0,
    disagreements: [],
  };
  for (let seed = firstSeed; totals.payrolls < payrolls; seed++) {
    const end = await powerPayroll(seed, options);
    totals.payrolls++;
    totals.rows += options.rows;
    for (const name of ['cuts', 'torn', 'late', 'images', 'transfers', 'copies', 'suspected'] as const)
      totals[name] += end[name];
    totals.disagreements.push(...end.disagreements.map((text) => `seed ${end.seed}: ${text} (kept in ${end.folder})`));
    onEnd(end);
  }
  return totals;
}
