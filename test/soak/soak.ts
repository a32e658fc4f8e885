import { rmSync } from 'node:fs';
import { mulberry32 } from '../support/generate-payroll.ts';
import { disagreementsOf, doubtsOf, entriesOf } from './agreement.ts';
import { freezeOnce } from './freeze-mode.ts';
import { killUntilDone } from './kill-mode.ts';
import type { SoakOptions } from './options.ts';
import { SoakPayroll } from './payroll.ts';

/** What a soak did, over all its payrolls. */
export type Totals = {
  payrolls: number;
  rows: number;
  /** Of the runner. */
  kills: number;
  killsByPhase: Map<string, number>;
  serviceKills: number;
  freezes: number;
  freezesByOutcome: Map<string, number>;
  /** Doubts that were settled: found at the service, or proven absent, or absent by a person's word, and paid again. */
  found: number;
  absent: number;
  accepted: number;
  disagreements: string[];
};

/**
 * Disturbs one payroll after the other, some at once, until so many kills or freezes are done. `onEnd` hears of each.
 */
export async function soak(options: SoakOptions, onEnd: (end: PayrollEnd, totals: Totals) => void): Promise<Totals> {
  const { mode, rows, seed, lanes } = options;
  const wanted = mode === 'freeze' ? options.freezes : options.kills;
  const totals = newTotals();
  const done = (): number => (mode === 'freeze' ? totals.freezes : totals.kills);
  let underWay = 0;
  let next = seed;
  const lane = async (): Promise<void> => {
    while (done() + underWay < wanted) {
      const payrollSeed = next++ % 2 ** 32;
      const planned = mode === 'freeze' ? 1 : plannedKills(payrollSeed);
      underWay += planned;
      const end = await soakPayroll(mode, rows, payrollSeed);
      underWay -= planned;
      addTo(totals, end);
      onEnd(end, totals);
    }
  };
  // A run may end before all the kills that were meant for it.
  while (done() < wanted) await Promise.all(Array.from({ length: lanes }, lane));
  return totals;
}

/** One payroll, disturbed. `disagreements` and `folder` say what to look at; the folder is gone where there are none. */
export type PayrollEnd = {
  seed: number;
  folder: string;
  rows: number;
  killsByPhase: Map<string, number>;
  serviceKills: number;
  freeze: { outcome: string; phase: string } | null;
  found: number;
  absent: number;
  accepted: number;
  disagreements: string[];
};

/** Kills that one payroll is meant to get: enough to meet every phase, few enough for many payrolls. */
function plannedKills(seed: number): number {
  return KILLS_LEAST + Math.floor(mulberry32(~seed)() * KILLS_SPAN);
}

const KILLS_LEAST = 4;
const KILLS_SPAN = 9;

/** Disturbs one payroll as its seed says, lets it finish, and compares everything. The same seed plans the same moments. */
export async function soakPayroll(mode: SoakOptions['mode'], rows: number, seed: number): Promise<PayrollEnd> {
  const payroll = await SoakPayroll.create(rows, seed, mode === 'freeze' ? 'slow' : 'fast');
  const end: PayrollEnd = {
    seed,
    folder: payroll.folder,
    rows,
    killsByPhase: new Map(),
    serviceKills: 0,
    freeze: null,
    found: 0,
    absent: 0,
    accepted: 0,
    disagreements: [],
  };
  try {
    if (mode === 'freeze') {
      const { problems, ...freeze } = await freezeOnce(payroll, seed % 2 === 0 ? 'after' : 'beside');
      end.freeze = freeze;
      end.disagreements.push(...problems);
    } else {
      const kills = await killUntilDone(payroll, plannedKills(seed), mode === 'both');
      end.killsByPhase = kills.byPhase;
      end.serviceKills = kills.service;
      end.disagreements.push(...kills.problems);
    }
    await compare(payroll, end);
  } catch (error) {
    end.disagreements.push(`the soak itself failed: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    await payroll.end();
  }
  if (end.disagreements.length === 0) rmSync(payroll.folder, { recursive: true, force: true });
  return end;
}

async function compare(payroll: SoakPayroll, end: PayrollEnd): Promise<void> {
  const runId = await payroll.findRun();
  if (runId === null) {
    end.disagreements.push('there is no run');
    return;
  }
  const { file, dataDir, reportDir, service } = payroll;
  Object.assign(end, doubtsOf(await entriesOf(dataDir, runId)));
  end.disagreements.push(...(await disagreementsOf(service, { runId, file, dataDir, reportDir })));
}

function newTotals(): Totals {
  return {
    payrolls: 0,
    rows: 0,
    kills: 0,
    killsByPhase: new Map(),
    serviceKills: 0,
    freezes: 0,
    freezesByOutcome: new Map(),
    found: 0,
    absent: 0,
    accepted: 0,
    disagreements: [],
  };
}

function addTo(totals: Totals, end: PayrollEnd): void {
  totals.payrolls++;
  totals.rows += end.rows;
  for (const [phase, count] of end.killsByPhase) {
    totals.killsByPhase.set(phase, (totals.killsByPhase.get(phase) ?? 0) + count);
    totals.kills += count;
  }
  totals.serviceKills += end.serviceKills;
  if (end.freeze !== null && end.freeze.outcome !== 'ended') totals.freezes++;
  if (end.freeze !== null) {
    const { outcome } = end.freeze;
    totals.freezesByOutcome.set(outcome, (totals.freezesByOutcome.get(outcome) ?? 0) + 1);
  }
  totals.found += end.found;
  totals.absent += end.absent;
  totals.accepted += end.accepted;
  totals.disagreements.push(...end.disagreements);
}

/** The figures of a soak, as its README keeps them. */
export function totalsText(totals: Totals, seconds: number): string {
  const counted = (counts: Map<string, number>): string =>
    [...counts].map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`).join(', ');
  const lines = [
    ['payrolls', String(totals.payrolls)],
    ['rows', String(totals.rows)],
    ['kills of the runner', `${totals.kills}${totals.kills > 0 ? ` (${counted(totals.killsByPhase)})` : ''}`],
    ['kills of the service', String(totals.serviceKills)],
    ['freezes', `${totals.freezes}${totals.freezes > 0 ? ` (${counted(totals.freezesByOutcome)})` : ''}`],
    ['doubts settled', `${totals.found} found at the service, ${totals.absent} proven absent and sent anew`],
    ['first payouts lost', `${totals.accepted} sent anew on a person's word`],
    ['disagreements', String(totals.disagreements.length)],
    ['seconds', seconds.toFixed(0)],
  ];
  return lines.map(([name, value]) => `${name?.padEnd(22)}${value}\n`).join('');
}
