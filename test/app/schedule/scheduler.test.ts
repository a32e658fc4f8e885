import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JobStanding } from '../../../src/app/schedule/job-standing.ts';
import type { ScheduleEvent } from '../../../src/app/schedule/schedule-event.ts';
import { Scheduler } from '../../../src/app/schedule/scheduler.ts';
import type { ScheduledJob } from '../../../src/app/schedule/watched-job.ts';
import { requireJob } from '../../../src/job/job-file.ts';
import { JournalUnreadable } from '../../../src/journal/journal.ts';
import { virtualClock } from '../../client/virtual-clock.ts';
import { temporaryFolder } from '../../support/payrun.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The clock stands at half past nine, and the job is due at the minute after it. */
function scheduled(cron = '31 9 25 * *'): ScheduledJob {
  const file = join(temporaryFolder(), 'pay.yaml');
  writeFileSync(file, `input: a.csv\nschedule: {cron: "${cron}", time_zone: UTC}\n`);
  const job = requireJob(file);
  if (job.schedule === null) throw new Error('a job without a schedule');
  return { ...job, schedule: job.schedule };
}

/** `away`: from when to when, in minutes, the database is away. */
type Given = {
  cron?: string;
  cutOff?: string | null;
  stays?: boolean;
  away?: readonly [number, number];
  runMs?: number;
};

/** A scheduler in virtual time, whose runs end with these exit codes, one after the other, and then with the last of them. */
function office(exits: (number | null)[], { cron, cutOff = null, stays = true, away = [0, 0], runMs = 0 }: Given = {}) {
  const clock = virtualClock();
  const begin = clock.wallMs();
  const paid = new Set<string>();
  const reported: string[] = [];
  const stop = new AbortController();
  let last: number | null = 0;
  const minutes = () => Math.round((clock.wallMs() - begin) / MINUTE_MS);
  const scheduler = new Scheduler([scheduled(cron)], {
    clock,
    standing: async (_job, dues): Promise<JobStanding> => {
      const at = (clock.wallMs() - begin) / MINUTE_MS;
      if (at >= away[0] && at < away[1])
        throw new JournalUnreadable(new Error('connection reset'), 'postgres://db/payrun');
      const since = dues.slice(dues.findLastIndex(({ period }) => paid.has(period)) + 1);
      const unpaid = since.filter(({ at }) => at >= begin - MINUTE_MS);
      const isBegun = paid.has(dues.at(-1)?.period ?? '');
      const cut = reported.length > 0 ? cutOff : null;
      return { unpaid, planned: [], useless: [], wasRun: true, isBegun, cutOff: cut, isUnderWay: false };
    },
    start: async (_job, period) => {
      const [exit] = exits;
      last = exits.length > 0 ? (exit ?? null) : last;
      exits.splice(0, 1);
      if (last === 0) paid.add(period);
      const end = { exit: last, signal: last === null ? 'SIGKILL' : null, result: null };
      const ended = runMs === 0 ? Promise.resolve(end) : clock.sleep(runMs).then(() => end);
      return { pid: 1, period, kill: () => undefined, ended };
    },
    report(event: ScheduleEvent) {
      const { event: what } = event;
      // How often it was tried is for the wait itself to know.
      if (what === 'next' || (what === 'database_away' && reported.at(-1)?.endsWith(what))) return;
      const more = what === 'again' ? ` ${event.tries}/${event.tries_max}` : what === 'ended' ? ` ${event.exit}` : '';
      reported.push(`${minutes()} ${what}${more}`);
    },
    corrected: () => [],
    stop: stop.signal,
  });
  const staying = stays ? scheduler.stay() : null;
  const end = async () => {
    stop.abort();
    await clock.pass(2_000);
    return staying;
  };
  return { clock, reported, end, scheduler };
}

describe('a run that could not begin', () => {
  it('is tried again, each time after a longer pause, until it is run', async () => {
    const { clock, reported, end } = office([8, 7, 8, 0]);
    await clock.pass(HOUR_MS);
    expect(reported).toEqual([
      '1 started',
      '1 ended 8',
      '1 again 1/9',
      '2 started',
      '2 ended 7',
      '2 again 2/9',
      '4 started',
      '4 ended 8',
      '4 again 3/9',
      '8 started',
      '8 ended 0',
    ]);
    expect(await end()).toBe(0);
  });

  it('is given up after nine tries in less than three hours, and reported once', async () => {
    const { clock, reported, end } = office([8]);
    await clock.pass(30 * HOUR_MS);
    const starts = reported.filter((line) => line.endsWith('started')).map((line) => Number.parseInt(line, 10));
    expect(starts).toEqual([1, 2, 4, 8, 16, 31, 61, 91, 121]);
    expect(reported.slice(-2)).toEqual(['121 ended 8', '121 gave_up']);
    expect(await end()).toBe(0);
  });

  it('is not tried again when another period has come', async () => {
    const { clock, reported } = office([8, 8, 8, 8, 8, 8, 0], { cron: '31 * * * *' });
    await clock.pass(1.5 * HOUR_MS);
    expect(reported.slice(-4)).toEqual(['31 again 6/9', '61 missed', '61 started', '61 ended 0']);
  });

  it('is left at once by whoever stops the scheduler meanwhile', async () => {
    const { clock, reported, end } = office([8, 0]);
    await clock.pass(90_000);
    expect(await end()).toBe(0);
    await clock.pass(HOUR_MS);
    expect(reported).toEqual(['1 started', '1 ended 8', '1 again 1/9']);
  });
});

it.each([1, 2, 3, 4, 5, 6, 130, null])('a run that ended with %j is not begun again', async (exit) => {
  const { clock, reported } = office([exit, 0]);
  await clock.pass(5 * HOUR_MS);
  expect(reported.filter((line) => line.endsWith('started'))).toHaveLength(1);
});

it('a run that was begun and cut off is said to be resumed, and never begun again', async () => {
  const { clock, reported } = office([8, 0], { cutOff: 'R1' });
  await clock.pass(5 * HOUR_MS);
  expect(reported.slice(0, 3)).toEqual(['1 started', '1 ended 8', '1 cut_off']);
  expect(reported.filter((line) => line.endsWith('started'))).toHaveLength(1);
});

it('whoever looks once leaves the next try to cron', async () => {
  const { reported, clock, scheduler } = office([8], { cron: '30 9 25 * *', stays: false });
  expect(await clock.until(scheduler.once())).toBe(8);
  expect(reported).toEqual(['0 started', '0 ended 8']);
});

describe('while the database is away', () => {
  it('the schedule stays: what becomes due is begun when it is back, or was missed', async () => {
    const cron = '*/20 * * * *';
    const { clock, reported, end } = office([0], { cron, away: [9, 25] });
    await clock.pass(HOUR_MS);
    expect(reported).toEqual([
      '10 database_away',
      '25 missed',
      '25 database_back',
      '30 started',
      '30 ended 0',
      '50 started',
      '50 ended 0',
    ]);
    expect(await end()).toBe(0);
  });

  it('a run that ends waits for what became of its period; who stops meanwhile is not kept', async () => {
    const { clock, reported } = office([8, 0], { away: [1.01, 3], runMs: 1_000 });
    await clock.pass(HOUR_MS);
    expect(reported).toEqual([
      ...['1 started', '1 ended 8', '1 database_away', '3 database_back', '3 again 1/9', '4 started', '4 ended 0'],
    ]);
    const other = office([8, 0], { away: [1.01, 30], runMs: 1_000 });
    await other.clock.pass(2 * MINUTE_MS);
    expect(await other.end()).toBe(0);
    expect(other.reported).toEqual(['1 started', '1 ended 8', '1 database_away']);
  });

  it('a schedule that looks once ends', async () => {
    const { clock, scheduler } = office([0], { stays: false, away: [0, 1] });
    await expect(clock.until(scheduler.once())).rejects.toThrow(JournalUnreadable);
  });
});
