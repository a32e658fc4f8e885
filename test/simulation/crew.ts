import { type Counts, count } from './counts.ts';
import type { Oracle } from './oracle.ts';
import type { Random } from './random.ts';
import type { Process } from './sim-journal.ts';
import { type Ending, type RunnerParts, SimRunner, type Task } from './sim-runner.ts';
import { type Machine, Violation } from './world.ts';

/** When the weather has ended, the run has to come to its end within so many starts of the runner. */
const QUIET_STARTS_MAX = 150;

export type CrewOptions = {
  parts: Omit<RunnerParts, 'die'>;
  dice: Random;
  oracle: Oracle;
  counts: Counts;
  /** A process ended by itself. */
  ended(ending: Ending): void;
};

/** The processes of the runner: which of them live, on which machine, and what each is started for. */
export class Crew {
  readonly machines: readonly Machine[] = [
    { name: 'ann', offsetMs: 0 },
    { name: 'bob', offsetMs: 0 },
  ];
  readonly living = new Set<SimRunner>();
  /** What a person wants done before the run goes on. */
  readonly errands: Task[] = [];
  /** Nobody starts anything. */
  isAway = false;
  /** The run has come to its end. */
  isOver = false;
  readonly #options: CrewOptions;
  readonly #parts: RunnerParts;
  #pids = 0;
  #quietStarts = 0;
  #lastEnd: Ending | null = null;

  constructor(options: CrewOptions) {
    this.#options = options;
    this.#parts = { ...options.parts, die: (process) => this.die(process) };
  }

  /** Starts a process: for what a person wants done, or else to go on with the run. */
  start(machine = this.#anyMachine()): void {
    const { world } = this.#parts;
    const task = this.errands.shift() ?? { kind: 'run', resubmitAbsent: false };
    const runner = new SimRunner(this.#parts, machine, ++this.#pids);
    const { process } = runner;
    this.living.add(runner);
    count(this.#options.counts, 'starts');
    if (this.#isQuiet && ++this.#quietStarts > QUIET_STARTS_MAX) {
      throw new Violation('liveness', `started ${QUIET_STARTS_MAX} times in peace, and not done: ${this.standing()}`);
    }
    world.note(`${process.name} starts on ${machine.name}: ${JSON.stringify(task)}`);
    runner.work(task).then(
      (ending) => {
        if (!process.isGone) this.#ended(runner, ending);
      },
      (error: unknown) => {
        if (!process.isGone) world.fail(error);
      },
    );
  }

  /** Somebody sees that nothing runs, and starts it again. */
  startLater(): void {
    const { world } = this.#parts;
    world.schedule(null, this.#options.dice.gap(this.#isQuiet ? 30_000 : 3_000), 'somebody looks', () => {
      if (this.living.size === 0 && !this.isOver && !this.isAway) world.judged(() => this.start());
    });
  }

  /** A second process for the same run, beside one that may be there. */
  startBeside(): void {
    if (this.isOver || this.isAway || this.living.size > 2) return;
    this.#parts.world.judged(() => this.start(this.#options.dice.pick(this.machines)));
  }

  die(process: Process): void {
    if (process.isGone) return;
    process.isGone = true;
    count(this.#options.counts, 'crashes');
    this.#parts.world.note(`${process.name} dies`);
    for (const runner of this.living) if (runner.process === process) this.#leave(runner);
    this.startLater();
  }

  isWorking(name: string): boolean {
    for (const { process } of this.living) if (process.name === name) return true;
    return false;
  }

  /** Where the run stands, for people. */
  standing(): string {
    const states = [...this.#options.oracle.run.payouts].map(([row, { state }]) => `${row} ${state}`);
    return `${states.join(', ')}; the last end was ${JSON.stringify(this.#lastEnd)}`;
  }

  get #isQuiet(): boolean {
    return this.#parts.network.isQuiet;
  }

  #anyMachine(): Machine {
    const { dice } = this.#options;
    return dice.chance(0.8) ? (this.machines[0] as Machine) : dice.pick(this.machines);
  }

  #ended(runner: SimRunner, ending: Ending): void {
    const { world } = this.#parts;
    world.note(`${runner.process.name} ends: ${JSON.stringify(ending)}`);
    this.#leave(runner);
    this.#lastEnd = ending;
    world.judged(() => this.#options.ended(ending));
  }

  #leave(runner: SimRunner): void {
    this.living.delete(runner);
    this.#parts.journal.ended(runner.process);
    runner.process.isGone = true;
  }
}
