import { countPayouts } from '../../src/domain/run/tally.ts';
import { type Counts, count } from './counts.ts';
import type { Crew } from './crew.ts';
import type { Oracle } from './oracle.ts';
import type { Random } from './random.ts';
import type { Ending, Task } from './sim-runner.ts';
import { Violation, type World } from './world.ts';

/** How long it takes until somebody who is called is there. */
export const PERSON_COMES_MS = 20 * 60_000;
const TURNS_MAX = 40;
const PATIENT_TURNS = 30;
const GO_ON: Task = { kind: 'run', resubmitAbsent: false };

/** Who looks into the service's books where a run needs a person, and tells the truth. */
export class Person {
  readonly #world: World;
  readonly #dice: Random;
  readonly #oracle: Oracle;
  readonly #crew: Crew;
  readonly #counts: Counts;
  #turns = 0;
  #isCalled = false;

  constructor(options: { world: World; dice: Random; oracle: Oracle; crew: Crew; counts: Counts }) {
    this.#world = options.world;
    this.#dice = options.dice;
    this.#oracle = options.oracle;
    this.#crew = options.crew;
    this.#counts = options.counts;
  }

  /** The rows that wait for a person. */
  get parked(): number[] {
    const payouts = [...this.#oracle.run.payouts];
    return payouts.filter(([, { state }]) => state === 'unresolved' || state === 'suspected').map(([row]) => row);
  }

  /** Whether only a person can go on from here. */
  isNeeded(ending: Ending): boolean {
    return ending.end === 'finished' || (ending.end === 'halted' && ending.reason === 'person_needed');
  }

  /**
   * Whether the run stands still with something that a person was told and no command mends: money moved that nobody
   * ordered, or a promise of the service is broken. It does not end with 0, and there is nothing left to do.
   */
  isTold(ending: Ending): boolean {
    const isDone = countPayouts(this.#oracle.run).open === 0;
    return ending.end === 'halted' && ending.reason === 'person_needed' && isDone && this.parked.length === 0;
  }

  /** Has the person come, unless somebody is on the way. */
  call(): void {
    if (this.#isCalled) return;
    this.#isCalled = true;
    // By then everything that was on its way has arrived, so that what the person sees at the service stays true.
    this.#world.schedule(null, PERSON_COMES_MS, 'a person comes', () => this.#world.judged(() => this.#comes()));
  }

  /** The person does what our words tell: looks at the service, and says of each parked row what is so. */
  #comes(): void {
    const crew = this.#crew;
    this.#isCalled = false;
    if (crew.isOver || crew.isAway) return;
    if (++this.#turns > TURNS_MAX) {
      throw new Violation('liveness', `a person came ${TURNS_MAX} times in vain: ${crew.standing()}`);
    }
    if (crew.living.size > 0) return;
    const { parked } = this;
    const isTrue = parked.every((row) => this.#oracle.truthOf(row).kind === 'not_sent');
    const isEasy = this.#turns === 1 && isTrue && this.#dice.chance(0.4);
    if (isEasy) crew.errands.push({ kind: 'run', resubmitAbsent: true });
    // What did not come back in time may be there by now.
    else if (parked.length === 0) crew.errands.push(this.#turns % 3 === 0 ? { kind: 'cancel' } : GO_ON);
    else {
      // A service whose every refusal comes too late to be heard is given up in the end.
      if (this.#turns > PATIENT_TURNS) crew.errands.push({ kind: 'cancel' });
      for (const row of parked) crew.errands.push({ kind: 'resolve', row, verdict: this.#oracle.truthOf(row) });
    }
    count(this.#counts, 'persons');
    crew.start();
  }
}
