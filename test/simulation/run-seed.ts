import { CEILINGS_DEFAULT } from '../../src/domain/conversion.ts';
import { signingKey } from '../../src/keys/ed25519.ts';
import { REAL_CLOCK } from '../journal/place.ts';
import { convertedRows } from './conversions.ts';
import { type Counts, count, countDoubts } from './counts.ts';
import { Crew } from './crew.ts';
import { FAULT_KINDS } from './faults.ts';
import { makeKnown } from './known-payees.ts';
import { MischiefMaker } from './mischief.ts';
import { Network, type NetworkWatch } from './network.ts';
import { Oracle } from './oracle.ts';
import { orderedOf } from './payroll.ts';
import { PERSON_COMES_MS, Person } from './person.ts';
import { Random } from './random.ts';
import { drawScenario, type Scenario } from './scenario.ts';
import { type JournalCopy, SimJournal } from './sim-journal.ts';
import type { Ending } from './sim-runner.ts';
import { SimService } from './sim-service.ts';
import { Violation, World } from './world.ts';

export type SeedOptions = {
  /** Gets every line of the trace. */
  print?: (line: string) => void;
};

export type SeedResult = {
  seed: number;
  /** Of everything that happened, in order. */
  hash: string;
  violation: { invariant: string; message: string; stack: string } | null;
  events: number;
  virtualMs: number;
  counts: Counts;
  faults: Counts;
  /** How doubts ended. */
  doubts: Counts;
  endings: Counts;
};

/** After the weather the story has to end within this. */
const QUIET_MAX_MS = 24 * 3_600_000;
/** How long the world goes on after the end of the run, so that what is late arrives. */
const LINGER_MS = 600_000;

/** One story from its seed: the real runner and the real service, in virtual time, with everything that may go wrong. */
export async function runSeed(seed: number, { print }: SeedOptions = {}): Promise<SeedResult> {
  const random = new Random(`seed ${seed}`);
  const world = new World(random.fork('world'), print ?? null);
  const story = new Story(random, world);
  let violation: SeedResult['violation'] = null;
  try {
    await story.tell();
  } catch (error) {
    const invariant = error instanceof Violation ? error.invariant : 'a bug';
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: '' };
    violation = { invariant, message, stack: stack ?? '' };
    world.note(`VIOLATION ${message}`);
  }
  const { counts, faults, endings } = story;
  const { events, nowMs: virtualMs } = world;
  const hash = world.hash.toString(16).padStart(8, '0');
  return { seed, hash, violation, events, virtualMs, counts, faults, doubts: story.doubts(), endings };
}

class Story {
  readonly counts: Counts = {
    payouts: 0,
    crashes: 0,
    restarts: 0,
    takeovers: 0,
    freezes: 0,
    jumps: 0,
    interrupts: 0,
    starts: 0,
  };
  readonly faults: Counts = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0]));
  readonly endings: Counts = {};
  readonly #world: World;
  readonly #scenario: Scenario;
  readonly #journal: SimJournal;
  readonly #oracle: Oracle;
  readonly #network: Network;
  readonly #crew: Crew;
  readonly #mischief: MischiefMaker;
  readonly #person: Person;
  #copy: JournalCopy | null = null;
  #isCopyBack = false;
  #endedAtMs = 0;

  constructor(random: Random, world: World) {
    const scenario = drawScenario(random);
    const dice = random.fork('story');
    const key = signingKey(random.fork('key').bytes(32));
    const { variant, weather, profile, turnMs, pollEveryMs } = scenario;
    const service = new SimService({ world, random: random.fork('service'), key, variant });
    const journal = new SimJournal({
      fate: () => mischief.commitFate(),
      die: (process) => crew.die(process),
      committed: (process) => world.judged(() => oracle.committed(process)),
    });
    const isWorking = (name: string): boolean => crew.isWorking(name);
    const oracle = new Oracle({ world, journal, service, scenario, dice: random.fork('oracle'), isWorking });
    const ordered = scenario.payroll.rows(makeKnown(service, scenario.payroll.known));
    const rows = convertedRows(ordered, scenario.conversions, random.fork('sources'));
    service.machine.offsetMs = 0;
    oracle.books.begin(orderedOf(rows));
    service.onCommit = () => oracle.books.changed();
    service.crashAtCommit = () => mischief.serviceCrash();
    const watch: NetworkWatch = {
      leaves: (departure) => oracle.leaves(departure),
      crash: () => mischief.crashAtRequest(),
      fault: (kind) => count(this.faults, kind),
      hears: (departure, sent) => oracle.hears(departure, sent),
      wrongId: (body, kind) => oracle.wrongId(body, kind),
    };
    const network = new Network({ world, random: random.fork('network'), service, weather, watch });
    const { apiKey } = service;
    const runner = { world, random: random.fork('runner'), journal, network, key, apiKey };
    const ceilings = scenario.conversions?.ceilings ?? CEILINGS_DEFAULT;
    const parts = { ...runner, profile, rows, ceilings, turnMs, pollEveryMs };
    const { counts } = this;
    const crew = new Crew({ parts, dice, oracle, counts, ended: (ending) => this.#ended(ending) });
    const mischief = new MischiefMaker({ world, dice, scenario, service, network, oracle, crew, counts });
    service.onQuote = () => mischief.movePriceAtQuote();
    world.afterEvent = () => this.#afterEvent();
    this.#world = world;
    this.#scenario = scenario;
    this.#journal = journal;
    this.#oracle = oracle;
    this.#network = network;
    this.#crew = crew;
    this.#mischief = mischief;
    this.#person = new Person({ world, dice, oracle, crew, counts });
    if (world.isTraced)
      world.trace(
        `scenario ${JSON.stringify({ ...scenario, payroll: undefined, weather: { ...weather, kinds: undefined } })}`,
      );
    if (world.isTraced) for (const row of rows) world.trace(`row ${JSON.stringify(row)}`);
  }

  async tell(): Promise<void> {
    const { quietFromMs } = this.#scenario;
    const crew = this.#crew;
    this.#mischief.setClocks();
    crew.start();
    this.#world.schedule(null, quietFromMs, 'the weather ends', () => this.#calm());
    this.#mischief.begin();
    this.#mischief.beginMoving();
    await this.#world.until(() => crew.isOver || this.#world.nowMs > quietFromMs + QUIET_MAX_MS);
    if (!crew.isOver) throw new Violation('liveness', `the run has not ended: ${crew.standing()}`);
    // What is still on its way arrives: it must not take effect where it was said that it had none.
    await this.#world.until(() => this.#world.nowMs > this.#endedAtMs + LINGER_MS);
    const [fault] = await this.#journal.faults(REAL_CLOCK);
    if (fault !== undefined) throw new Violation('journal', fault);
    const { books, takeovers } = this.#oracle;
    this.counts.payouts = books.booked.length - books.foreign.size;
    this.counts.takeovers = takeovers;
  }

  /** How doubts ended, by the journal. */
  doubts(): Counts {
    return countDoubts(this.#oracle.entries);
  }

  #afterEvent(): void {
    const { entries } = this.#oracle;
    const { copyAtEntry } = this.#scenario;
    this.#oracle.check();
    if (this.#copy === null && copyAtEntry !== null && entries.length >= copyAtEntry) {
      this.#copy = this.#journal.copy();
      this.#world.note('a backup of the journal is made');
    }
  }

  /** A process ended by itself. */
  #ended(ending: Ending): void {
    const crew = this.#crew;
    count(this.endings, ending.end === 'halted' ? `halted: ${ending.reason}` : ending.end);
    if (ending.end === 'finished' && this.#person.parked.length === 0) this.#end();
    else if (this.#person.isTold(ending)) this.#end();
    else if (!this.#network.isQuiet || crew.errands.length > 0 || !this.#person.isNeeded(ending)) crew.startLater();
    else this.#person.call();
  }

  #end(): void {
    const crew = this.#crew;
    if (crew.living.size > 0 || crew.isAway) return;
    if (this.#copy !== null && !this.#isCopyBack) {
      this.#putBackLater(this.#copy);
      return;
    }
    this.#oracle.checkNamed();
    crew.isOver = true;
    this.#endedAtMs = this.#world.nowMs;
  }

  /** The machine is lost, and the run goes on from a backup: what it did since is forgotten, and must not be done again. */
  #putBackLater(copy: JournalCopy): void {
    const world = this.#world;
    const crew = this.#crew;
    crew.isAway = true;
    this.#isCopyBack = true;
    for (const { process } of crew.living) crew.die(process);
    world.schedule(null, PERSON_COMES_MS, 'a backup is put back', () => {
      this.#journal.putBack(copy);
      world.judged(() => this.#oracle.putBack());
      count(this.counts, 'old copies');
      world.note(`the backup is put back: ${crew.standing()}`);
      crew.errands.length = 0;
      crew.isAway = false;
      crew.startLater();
    });
  }

  /** The weather ends: clocks are set right, the service runs, and everybody can go on. */
  #calm(): void {
    const crew = this.#crew;
    this.#network.isQuiet = true;
    this.#mischief.end();
    this.#world.note('the weather ends');
    if (this.#copy !== null && !this.#isCopyBack) this.#putBackLater(this.#copy);
    else if (crew.living.size === 0) crew.startLater();
  }
}
