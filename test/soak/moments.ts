import { setTimeout as sleep } from 'node:timers/promises';
import type { Started } from '../support/payrun-process.ts';
import type { KillableService } from './killable-service.ts';

/** What a run says that it is doing, in the order in which it does it. `starting`: it has said nothing yet. */
const ORDER: readonly string[] = [
  'starting',
  'checking the service for earlier payments',
  'checking the journal',
  'preparing payees',
  'first payout',
  'submitting',
  'waiting',
  'done',
  'reporting',
];

/** When a process is disturbed: in a phase, after so many arrivals at the service, and a little later. */
export type Moment = { phase: string; arrivals: number; delayMs: number };

/** How often each phase is chosen. The two at the front come with every resume. */
const ANYWHERE: readonly [string, number][] = [
  ['starting', 1],
  ['checking the journal', 3],
];
const FORWARD: readonly [string, number][] = [
  ['preparing payees', 4],
  ['first payout', 3],
  ['submitting', 6],
  ['waiting', 4],
];

const LOOK_EVERY_MS = 2;
/** A look at the service costs both sides some work. */
const ASK_EVERY_MS = 10;

/** Moments in an order in which one payroll can meet them all, spread over its phases. */
export function planMoments(random: () => number, count: number, rows: number): Moment[] {
  const phases = Array.from({ length: count }, () => pick(random, [...ANYWHERE, ...FORWARD]));
  const forward = phases.filter((phase) => FORWARD.some(([name]) => name === phase));
  forward.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  const planned = [...forward];
  // Doubts there are only after a kill.
  for (const phase of phases.filter((one) => !forward.includes(one)))
    planned.splice(1 + Math.floor(random() * planned.length), 0, phase);
  return planned.map((phase) => {
    const times = planned.filter((one) => one === phase).length;
    return { phase, ...withinPhase(random, phase, rows, times) };
  });
}

/** How far into the phase. One that is met several times is gone through in parts. */
function withinPhase(random: () => number, phase: string, rows: number, times: number): Omit<Moment, 'phase'> {
  const upTo = (most: number): number => Math.floor(random() * most);
  switch (phase) {
    case 'starting':
      return { arrivals: 0, delayMs: upTo(700) };
    case 'checking the journal':
      return { arrivals: upTo(12), delayMs: upTo(20) };
    case 'preparing payees':
      return { arrivals: upTo((2 * rows) / times), delayMs: upTo(20) };
    case 'first payout':
      return { arrivals: 0, delayMs: upTo(25) };
    case 'submitting':
      return { arrivals: upTo((0.9 * rows) / times), delayMs: upTo(20) };
    default:
      return { arrivals: upTo(10), delayMs: upTo(50) };
  }
}

/** Resolves when the moment has come, or is missed because the run is further already, or the process has ended. */
export async function untilMoment(
  moment: Moment,
  started: Started,
  service: KillableService,
): Promise<'now' | 'ended'> {
  const target = ORDER.indexOf(moment.phase);
  const rank = (): number => ORDER.indexOf(phaseOf(started.stderr()));
  let isOver = false;
  void started.ended.then(() => {
    isOver = true;
  });
  while (!isOver && rank() < target) await sleep(LOOK_EVERY_MS);
  if (moment.arrivals > 0 && rank() === target) {
    const until = (await service.arrived('anything')) + moment.arrivals;
    while (!isOver && rank() === target && (await service.arrived('anything')) < until) await sleep(ASK_EVERY_MS);
  }
  if (!isOver) await sleep(moment.delayMs);
  return isOver ? 'ended' : 'now';
}

/** The phase that a run's progress named last; what it does after its end is writing the report. */
export function phaseOf(stderr: string): string {
  const named = stderr.split('\n').map((line) => line.split(': ')[0] ?? '');
  const last = named.findLast((name) => ORDER.includes(name)) ?? 'starting';
  return last === 'done' ? 'reporting' : last;
}

function pick(random: () => number, weighted: readonly [string, number][]): string {
  let left = random() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of weighted) {
    left -= weight;
    if (left < 0) return name;
  }
  return weighted.at(-1)?.[0] ?? '';
}
