import { setTimeout as sleep } from 'node:timers/promises';
import type { Ended, Started } from '../support/payrun-process.ts';
import { phaseOf, planMoments, untilMoment } from './moments.ts';
import { endText, type SoakPayroll } from './payroll.ts';

export type Kills = { byPhase: Map<string, number>; service: number; problems: string[] };

/**
 * A run that met an outage says so and stops; the next `resume` goes on. Without one it ends in one go, unless its first
 * payout was lost: then a person is needed.
 */
const STOPPED_BY_OUTAGE = [5, 8];
const RESUMES_MAX = 30;
const SERVICE_DOWN_MAX_MS = 400;

/**
 * Kills the runner, and with `withService` the service too, until `count` kills are done or the run has ended, and then
 * lets `resume` finish it. `problems` are ends that should not be.
 */
export async function killUntilDone(payroll: SoakPayroll, count: number, withService: boolean): Promise<Kills> {
  const kills: Kills = { byPhase: new Map(), service: 0, problems: [] };
  const stops = withService ? STOPPED_BY_OUTAGE : [];
  let started = await payroll.go();
  for (const moment of planMoments(payroll.random, count, payroll.rows)) {
    for (let resumes = 0; (await untilMoment(moment, started, payroll.service)) === 'ended'; resumes++) {
      const ended = await started.ended;
      if (ended.exit === 0) return kills;
      if (resumes === RESUMES_MAX || !(await goesOn(payroll, ended, stops))) {
        kills.problems.push(`it ended by itself, ${endText(ended)}`);
        return kills;
      }
      started = await payroll.go();
    }
    started = await strike(payroll, started, kills, withService);
  }
  for (let resumes = 0; ; resumes++) {
    const ended = await started.ended;
    if (ended.exit === 0) return kills;
    if (resumes === RESUMES_MAX || !(await goesOn(payroll, ended, stops))) {
      kills.problems.push(`it did not finish, ${endText(ended)}`);
      return kills;
    }
    started = await payroll.go();
  }
}

async function goesOn(payroll: SoakPayroll, ended: Ended, stops: readonly number[]): Promise<boolean> {
  return (await payroll.acceptLostFirst(ended)) || stops.includes(ended.exit ?? -1);
}

/** Kills, and gives the process that is to be disturbed next. */
async function strike(payroll: SoakPayroll, started: Started, kills: Kills, withService: boolean): Promise<Started> {
  const { service, random } = payroll;
  const die = random();
  const hitsService = withService && die < 0.6;
  const hitsRunner = !withService || die > 0.3;
  const gone: Promise<unknown>[] = [];
  if (hitsRunner) {
    started.child.kill('SIGKILL');
    gone.push(started.ended);
  }
  if (hitsService) gone.push(service.kill());
  await Promise.all(gone);
  // What it wrote last is read by now. A run that ended by itself just before was not killed.
  if (hitsRunner && started.child.signalCode === 'SIGKILL') {
    const phase = phaseOf(started.stderr());
    kills.byPhase.set(phase, (kills.byPhase.get(phase) ?? 0) + 1);
  }
  if (hitsService) {
    kills.service++;
    await sleep(random() * SERVICE_DOWN_MAX_MS);
    await service.start();
  }
  return hitsRunner && started.child.signalCode === 'SIGKILL' ? payroll.go() : started;
}
