import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JobStanding } from '../../../src/app/schedule/job-standing.ts';
import type { ScheduleEvent } from '../../../src/app/schedule/schedule-event.ts';
import { Scheduler } from '../../../src/app/schedule/scheduler.ts';
import type { ScheduledJob } from '../../../src/app/schedule/watched-job.ts';
import { requireJob } from '../../../src/job/job-file.ts';
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

type Given = { cron?: string; cutOff?: string | null; stays?: boolean };

/** A scheduler in virtual time, whose runs end with these exit codes, one after the other, and then with the last of them. */
function office(exits: (number | null)[], { cron, cutOff = null, stays = true }: Given = {}) {
  const clock = virtualClock();
  const begin = clock.wallMs();
  const paid = new Set<string>();
  const told: string[] = [];
  const stop = new AbortController();
  let last: number | null = 0;
  const minutes = () => Math.round((clock.wallMs() - begin) / MINUTE_MS);
  const scheduler = new Scheduler([scheduled(cron)], {
    clock,
    standing: async (_job, dues): Promise<JobStanding> => {
      const since = dues.slice(dues.findLastIndex(({ period }) => paid.has(period)) + 1);
      const unpaid = since.filter(({ at }) => at >= begin - MINUTE_MS);
      return { unpaid, planned: [], useless: [], wasRun: true, cutOff: told.length > 0 ? cutOff : null };
    },
    start: (_job, period) => {
      const [exit] = exits;
      last = exits.length > 0 ? (exit ?? null) : last;
      exits.splice(0, 1);
      if (last === 0) paid.add(period);
      const ended = Promise.resolve({ exit: last, signal: last === null ? 'SIGKILL' : null, result: null });
      return { pid: 1, period, kill: () => undefined, ended };
    },
    report(event: ScheduleEvent) {
      const { event: what } = event;
      if (what === 'next') return;
      const more = what === 'again' ? ` ${event.tries}/${event.tries_max}` : what === 'ended' ? ` ${event.exit}` : '';
      told.push(`${minutes()} ${what}${more}`);
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
  return { clock, told, end, scheduler };
}

describe('a run that could not begin', () => {
  it('is tried again, each time after a longer pause, until it is run', async () => {
    const { clock, told, end } = office([8, 7, 8, 0]);
    await clock.pass(HOUR_MS);
    expect(told).toEqual([
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

  it('is given up after nine tries in less than three hours, and told once', async () => {
    const { clock, told, end } = office([8]);
    await clock.pass(30 * HOUR_MS);
    const starts = told.filter((line) => line.endsWith('started')).map((line) => Number.parseInt(line, 10));
    expect(starts).toEqual([1, 2, 4, 8, 16, 31, 61, 91, 121]);
    expect(told.slice(-2)).toEqual(['121 ended 8', '121 gave_up']);
    expect(await end()).toBe(0);
  });

  it('is not tried again when another period has come', async () => {
    const { clock, told } = office([8, 8, 8, 8, 8, 8, 0], { cron: '31 * * * *' });
    await clock.pass(1.5 * HOUR_MS);
    expect(told.slice(-4)).toEqual(['31 again 6/9', '61 missed', '61 started', '61 ended 0']);
  });

  it('is left at once by whoever stops the scheduler meanwhile', async () => {
    const { clock, told, end } = office([8, 0]);
    await clock.pass(90_000);
    expect(await end()).toBe(0);
    await clock.pass(HOUR_MS);
    expect(told).toEqual(['1 started', '1 ended 8', '1 again 1/9']);
  });
});

it.each([1, 2, 3, 4, 5, 6, 130, null])('a run that ended with %j is not begun again', async (exit) => {
  const { clock, told } = office([exit, 0]);
  await clock.pass(5 * HOUR_MS);
  expect(told.filter((line) => line.endsWith('started'))).toHaveLength(1);
});

it('a run that was begun and cut off is said to be resumed, and never begun again', async () => {
  const { clock, told } = office([8, 0], { cutOff: 'R1' });
  await clock.pass(5 * HOUR_MS);
  expect(told.slice(0, 3)).toEqual(['1 started', '1 ended 8', '1 cut_off']);
  expect(told.filter((line) => line.endsWith('started'))).toHaveLength(1);
});

it('whoever looks once leaves the next try to cron', async () => {
  const { told, clock, scheduler } = office([8], { cron: '30 9 25 * *', stays: false });
  expect(await clock.until(scheduler.once())).toBe(8);
  expect(told).toEqual(['0 started', '0 ended 8']);
});
