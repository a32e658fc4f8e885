import { signingKey } from '../../src/keys/ed25519.ts';
import { CLOCK_SKEW_MAX_MS } from '../../src/runner/preflight.ts';
import { FAULT_KINDS, type FaultKind } from './faults.ts';
import { Network } from './network.ts';
import { Oracle } from './oracle.ts';
import { orderedOf } from './payroll.ts';
import { Random } from './random.ts';
import { drawScenario, type Mischief, type Scenario } from './scenario.ts';
import { type CommitFate, type JournalCopy, type Process, SimJournal } from './sim-journal.ts';
import { type Ending, SimRunner, type Task } from './sim-runner.ts';
import { SimService } from './sim-service.ts';
import { type Machine, Violation, World } from './world.ts';

export type SeedOptions = {
  /** Gets every line of the trace. */
  print?: (line: string) => void;
};

export type Counts = Record<string, number>;

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

const LEASE_MS = 30_000;
/** After the weather the story has to end within this. */
const QUIET_MAX_MS = 24 * 3_600_000;
/** And within so many starts of the runner. */
const QUIET_STARTS_MAX = 150;
const PERSON_TURNS_MAX = 40;
const PERSON_COMES_MS = 20 * 60_000;

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
  const { counts, faults } = story;
  const { events, nowMs: virtualMs } = world;
  const hash = world.hash.toString(16).padStart(8, '0');
  return { seed, hash, violation, events, virtualMs, counts, faults, doubts: story.doubts(), endings: story.endings };
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
  readonly #dice: Random;
  readonly #scenario: Scenario;
  readonly #service: SimService;
  readonly #journal: SimJournal;
  readonly #oracle: Oracle;
  readonly #network: Network;
  readonly #machines: Machine[] = [
    { name: 'ann', offsetMs: 0 },
    { name: 'bob', offsetMs: 0 },
  ];
  readonly #newRunner: (machine: Machine) => SimRunner;
  readonly #living = new Set<SimRunner>();
  #pids = 0;
  #lastEnd: Ending | null = null;
  #quietStarts = 0;
  /** What a person wants done before the run goes on. */
  readonly #errands: Task[] = [];
  #personTurns = 0;
  #isPersonCalled = false;
  #copy: JournalCopy | null = null;
  #isCopyBack = false;
  /** Nobody starts anything. */
  #isAway = false;
  #isOver = false;

  constructor(random: Random, world: World) {
    const scenario = drawScenario(random);
    this.#world = world;
    this.#dice = random.fork('story');
    this.#scenario = scenario;
    const key = signingKey(random.fork('key').bytes(32));
    const { variant, weather, profile, turnMs, pollEveryMs } = scenario;
    const service = new SimService({ world, random: random.fork('service'), key, variant });
    const journal = new SimJournal({
      fate: () => this.#commitFate(),
      die: (process) => this.#die(process),
      committed: (process) => this.#judged(() => oracle.committed(process)),
    });
    const oracle = new Oracle({ world, journal, store: service.store, isWorking: (name) => this.#isWorking(name) });
    this.#service = service;
    this.#journal = journal;
    this.#oracle = oracle;
    const rows = scenario.payroll.rows(this.#prepare());
    service.machine.offsetMs = 0;
    oracle.begin(orderedOf(rows));
    service.onCommit = () => oracle.booksChanged();
    service.crashAtCommit = () => this.#serviceCrash();
    this.#network = new Network({
      world,
      random: random.fork('network'),
      service,
      weather,
      watch: {
        leaves: (departure) => oracle.leaves(departure),
        crash: () =>
          !this.#isQuiet && this.#dice.chance(scenario.crashAtStep) ? this.#dice.pick(['before', 'after']) : 'no',
        fault: (kind: FaultKind) => this.#count(this.faults, kind),
      },
    });
    const parts = {
      world,
      random: random.fork('runner'),
      journal,
      network: this.#network,
      key,
      apiKey: service.apiKey,
    };
    const more = { profile, rows, turnMs, pollEveryMs, die: (process: Process) => this.#die(process) };
    this.#newRunner = (machine) => new SimRunner({ ...parts, ...more }, machine, ++this.#pids);
    world.afterEvent = () => {
      oracle.check();
      if (this.#copy === null && scenario.copyAtEntry !== null && oracle.entries.length >= scenario.copyAtEntry) {
        this.#copy = journal.copy();
        world.note('a backup of the journal is made');
      }
    };
    if (world.isTraced)
      world.trace(
        `scenario ${JSON.stringify({ ...scenario, payroll: undefined, weather: { ...weather, kinds: undefined } })}`,
      );
    if (world.isTraced) for (const row of rows) world.trace(`row ${JSON.stringify(row)}`);
  }

  async tell(): Promise<void> {
    const { quietFromMs, clockSkewMs, mischiefEveryMs } = this.#scenario;
    for (const machine of this.#allMachines) machine.offsetMs = Math.round((this.#dice.next() - 0.5) * clockSkewMs);
    this.#startRunner();
    this.#world.schedule(null, quietFromMs, 'the weather ends', () => this.#calm());
    this.#nextMischief(mischiefEveryMs);
    await this.#world.until(() => this.#isOver || this.#world.nowMs > quietFromMs + QUIET_MAX_MS);
    if (!this.#isOver) throw new Violation('liveness', `the run has not ended: ${this.#standing()}`);
    // What is still on its way arrives: it must not take effect where it was said that it had none.
    await this.#world.until(() => this.#world.nowMs > this.#endedAtMs + LINGER_MS);
    this.counts.payouts = this.#oracle.booked.length - this.#oracle.foreign.size;
    this.counts.takeovers = this.#oracle.takeovers;
  }

  /** How doubts ended, by the journal. */
  doubts(): Counts {
    const doubts: Counts = {};
    const open = new Set<string>();
    for (const { entry } of this.#oracle.entries) {
      if (!('row' in entry) || !('attempt' in entry)) continue;
      const key = `${entry.row} ${entry.attempt}`;
      if (entry.kind === 'doubt') open.add(key);
      else if (!open.has(key) || entry.kind === 'looked') continue;
      else this.#count(doubts, 'by' in entry ? `${entry.kind} by ${entry.by}` : entry.kind);
    }
    return doubts;
  }

  #endedAtMs = 0;

  get #isQuiet(): boolean {
    return this.#network.isQuiet;
  }

  get #allMachines(): Machine[] {
    return [...this.#machines, this.#service.machine];
  }

  /** Makes at the service what it knows before the run. */
  #prepare() {
    const service = this.#service;
    const made = this.#scenario.payroll.known.map(({ name, email, accounts }) => {
      const { id } = service.direct('account.recipient.create', {
        metadata: { name, ...(email === null ? {} : { email }) },
      });
      return {
        id: String(id),
        accounts: accounts.map(({ rail, account_name, fields }) => {
          const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
          if (rail === 'WEB3') {
            const { wallet_address: address, chain } = fields;
            return String(
              service.direct('account.external.web3.add', { recipient_id: id, account_name, address, chain }).id,
            );
          }
          return String(
            service.direct('account.external.bank.add', { recipient_id: id, type: rail, account_name, ...given }).id,
          );
        }),
      };
    });
    return {
      recipientId: (payee: number) => made[payee]?.id ?? '',
      accountId: (payee: number, account: number) => made[payee]?.accounts[account] ?? '',
    };
  }

  #startRunner(
    machine: Machine = this.#dice.chance(0.8) ? (this.#machines[0] as Machine) : this.#dice.pick(this.#machines),
  ): void {
    const task = this.#errands.shift() ?? { kind: 'run', resubmitAbsent: false };
    const runner = this.#newRunner(machine);
    const { name } = runner.process;
    this.#living.add(runner);
    this.counts.starts = (this.counts.starts ?? 0) + 1;
    if (this.#isQuiet && ++this.#quietStarts > QUIET_STARTS_MAX) {
      throw new Violation('liveness', `started ${QUIET_STARTS_MAX} times in peace, and not done: ${this.#standing()}`);
    }
    this.#world.note(`${name} starts on ${machine.name}: ${JSON.stringify(task)}`);
    runner.work(task).then(
      (ending) => {
        if (runner.process.isGone) return;
        this.#ended(runner, ending);
      },
      (error: unknown) => {
        if (!runner.process.isGone) this.#world.fail(error);
      },
    );
  }

  #ended(runner: SimRunner, ending: Ending): void {
    this.#world.note(`${runner.process.name} ends: ${JSON.stringify(ending)}`);
    this.#count(this.endings, ending.end === 'halted' ? `halted: ${ending.reason}` : ending.end);
    this.#leave(runner);
    this.#lastEnd = ending;
    this.#judged(() => this.#afterEnd(ending));
  }

  #afterEnd(ending: Ending): void {
    if (ending.end === 'finished' && this.#parked().length === 0) {
      this.#end();
      return;
    }
    if (!this.#isQuiet || this.#errands.length > 0 || !this.#needsPerson(ending)) {
      this.#startLater();
      return;
    }
    if (this.#isPersonCalled) return;
    this.#isPersonCalled = true;
    // By then everything that was on its way has arrived, so that what the person sees at the service stays true.
    this.#world.schedule(null, PERSON_COMES_MS, 'a person comes', () => this.#judged(() => this.#comes()));
  }

  /** Whether only a person can go on from here. */
  #needsPerson(ending: Ending): boolean {
    return ending.end === 'finished' || (ending.end === 'halted' && ending.reason === 'person_needed');
  }

  /** The person does what our words tell: looks at the service, and says of each parked row what is so. */
  #comes(): void {
    this.#isPersonCalled = false;
    if (this.#isOver || this.#isAway) return;
    if (++this.#personTurns > PERSON_TURNS_MAX) {
      throw new Violation('liveness', `a person came ${PERSON_TURNS_MAX} times in vain: ${this.#standing()}`);
    }
    if (this.#living.size > 0) return;
    const parked = this.#parked();
    const isEasy = this.#personTurns === 1 && this.#dice.chance(0.25);
    if (isEasy) this.#errands.push({ kind: 'run', resubmitAbsent: true });
    else if (parked.length === 0) this.#errands.push({ kind: 'cancel' });
    else {
      for (const row of parked) this.#errands.push({ kind: 'resolve', row, verdict: this.#oracle.truthOf(row) });
    }
    this.#count(this.counts, 'persons');
    this.#startRunner();
  }

  #end(): void {
    if (this.#living.size > 0 || this.#isAway) return;
    if (this.#copy !== null && !this.#isCopyBack) {
      this.#putBackLater(this.#copy);
      return;
    }
    this.#isOver = true;
    this.#endedAtMs = this.#world.nowMs;
  }

  /** The machine is lost, and the run goes on from a backup: what it did since is forgotten, and must not be done again. */
  #putBackLater(copy: JournalCopy): void {
    this.#isAway = true;
    this.#isCopyBack = true;
    for (const { process } of this.#living) this.#die(process);
    this.#world.schedule(null, PERSON_COMES_MS, 'a backup is put back', () => {
      this.#journal.putBack(copy);
      this.#judged(() => this.#oracle.putBack());
      this.#count(this.counts, 'old copies');
      this.#world.note(`the backup is put back: ${this.#standing()}`);
      this.#errands.length = 0;
      this.#isAway = false;
      this.#startLater();
    });
  }

  /** Somebody sees that nothing runs, and starts it again. */
  #startLater(): void {
    this.#world.schedule(null, this.#dice.gap(this.#isQuiet ? 30_000 : 3_000), 'somebody looks', () => {
      if (this.#living.size === 0 && !this.#isOver && !this.#isAway) this.#judged(() => this.#startRunner());
    });
  }

  #die(process: Process): void {
    if (process.isGone) return;
    process.isGone = true;
    this.counts.crashes = (this.counts.crashes ?? 0) + 1;
    this.#world.note(`${process.name} dies`);
    for (const runner of this.#living) if (runner.process === process) this.#leave(runner);
    this.#startLater();
  }

  #leave(runner: SimRunner): void {
    this.#living.delete(runner);
    this.#journal.ended(runner.process);
    runner.process.isGone = true;
  }

  #commitFate(): CommitFate {
    const { crashAtStep, commitError } = this.#scenario;
    if (this.#isQuiet) return 'good';
    if (this.#dice.chance(crashAtStep)) return this.#dice.pick(['crash_before', 'crash_after']);
    if (this.#dice.chance(commitError)) return this.#dice.pick(['error_before', 'error_after']);
    return 'good';
  }

  #serviceCrash(): 'no' | 'before' | 'after' {
    const { mischiefs, crashAtStep } = this.#scenario;
    const isPossible = mischiefs.some(([kind, weight]) => kind === 'service_restart' && weight > 0);
    if (this.#isQuiet || !isPossible || !this.#dice.chance(crashAtStep / 2)) return 'no';
    this.#restartLater();
    return this.#dice.pick(['before', 'after']);
  }

  #restartLater(): void {
    this.#count(this.counts, 'restarts');
    this.#world.schedule(null, this.#dice.gap(2_000), 'the service starts', () => {
      if (this.#service.isUp) return;
      this.#service.start();
      this.#world.note('the service is up');
    });
  }

  /** The weather ends: clocks are set right, the service runs, and everybody can go on. */
  #calm(): void {
    this.#network.isQuiet = true;
    for (const machine of this.#allMachines) machine.offsetMs = 0;
    if (!this.#service.isUp) this.#restartLater();
    this.#world.note('the weather ends');
    if (this.#copy !== null && !this.#isCopyBack) this.#putBackLater(this.#copy);
    else if (this.#living.size === 0) this.#startLater();
  }

  #nextMischief(everyMs: number): void {
    this.#world.schedule(null, this.#dice.gap(everyMs), 'mischief', () => {
      if (this.#isQuiet || this.#isOver) return;
      this.#judged(() => this.#doMischief(this.#dice.weighted(this.#scenario.mischiefs)));
      this.#nextMischief(everyMs);
    });
  }

  #doMischief(kind: Mischief): void {
    const [runner] = [...this.#living].slice(this.#dice.whole(0, Math.max(this.#living.size - 1, 0)));
    const dice = this.#dice;
    const world = this.#world;
    const { clockJumpMs } = this.#scenario;
    switch (kind) {
      case 'crash':
        if (runner) this.#die(runner.process);
        return;
      case 'freeze': {
        if (!runner) return;
        const ms = dice.gap(dice.pick([500, 10_000, 60_000]));
        runner.process.frozenUntilMs = world.nowMs + ms;
        this.#count(this.counts, 'freezes');
        world.note(`${runner.process.name} is frozen for ${Math.round(ms)} ms`);
        // Whoever waits for it starts another on another machine, which may take over when the lease has run out.
        if (ms > LEASE_MS / 2)
          world.schedule(null, LEASE_MS + dice.gap(10_000), 'somebody takes over', () => this.#beside());
        return;
      }
      case 'runner_clock': {
        const machine = dice.pick(this.#machines);
        machine.offsetMs += Math.round((dice.next() - 0.5) * 2 * clockJumpMs);
        this.#jumped();
        world.note(`the clock of ${machine.name} is ${machine.offsetMs} ms ahead now`);
        return;
      }
      case 'service_clock': {
        const { machine } = this.#service;
        machine.offsetMs += Math.round((dice.next() - 0.5) * 2 * Math.min(clockJumpMs, 30_000));
        this.#jumped();
        world.note(`the clock of the service is ${machine.offsetMs} ms ahead now`);
        return;
      }
      case 'service_restart':
        if (!this.#service.isUp) return;
        this.#service.crash();
        this.#restartLater();
        return;
      case 'interrupt':
        if (!runner) return;
        this.#count(this.counts, 'interrupts');
        world.note(`${runner.process.name} is interrupted`);
        runner.interrupt();
        return;
      case 'second_runner':
        this.#beside();
        return;
      case 'colleague':
        this.#payByHand();
        return;
    }
  }

  /**
   * Somebody else pays at the same service: perhaps one of our rows, seeing that it is in doubt, with its token in the
   * description and another amount; perhaps something that has nothing to do with us and looks the same.
   */
  #payByHand(): void {
    if (!this.#service.isUp) return;
    const dice = this.#dice;
    const open = [...this.#oracle.run.payouts.values()].filter((payout) => 'intent' in payout);
    if (open.length === 0) return;
    const { intent } = dice.pick(open);
    const isQuoted = dice.chance(0.7);
    const value = isQuoted ? String(BigInt(intent.amount_minor) + 100n) : intent.amount_minor;
    const { code, chain, decimals } = intent.currency;
    const id = this.#service.direct('transaction.transfer', {
      currency_out: { value, code, decimals, ...(chain === null ? {} : { chain }) },
      external_accounts: { from: null, to: { id: intent.external_account_id } },
      metadata: { description: isQuoted ? `by hand, for ${intent.token}` : 'by hand' },
    });
    this.#oracle.foreign.add(String(id));
    this.#count(this.counts, 'payments by hand');
    this.#world.note(
      `a colleague pays row ${intent.row} by hand: ${id}, ${value}${isQuoted ? `, quoting ${intent.token}` : ''}`,
    );
  }

  /** Where clocks are further apart than the runner allows for, a record that was made is not known by its time. */
  #jumped(): void {
    this.#count(this.counts, 'jumps');
    const offsets = this.#allMachines.map(({ offsetMs }) => offsetMs);
    if (Math.max(...offsets) - Math.min(...offsets) > CLOCK_SKEW_MAX_MS) this.#oracle.isLitterAllowed = true;
  }

  /** A second process for the same run, beside one that may be there. */
  #beside(): void {
    if (this.#isOver || this.#isAway || this.#living.size > 2) return;
    this.#judged(() => this.#startRunner(this.#dice.pick(this.#machines)));
  }

  /** The rows that wait for a person. */
  #parked(): number[] {
    const payouts = [...this.#oracle.run.payouts];
    return payouts.filter(([, { state }]) => state === 'unresolved' || state === 'suspected').map(([row]) => row);
  }

  #isWorking(name: string): boolean {
    for (const { process } of this.#living) if (process.name === name) return true;
    return false;
  }

  #standing(): string {
    const states = [...this.#oracle.run.payouts].map(([row, { state }]) => `${row} ${state}`);
    return `${states.join(', ')}; the last end was ${JSON.stringify(this.#lastEnd)}`;
  }

  /** What is found in the middle of somebody's work ends the world, and not that work. */
  #judged(work: () => void): void {
    try {
      work();
    } catch (violation) {
      this.#world.fail(violation);
    }
  }

  #count(counts: Counts, what: string): void {
    counts[what] = (counts[what] ?? 0) + 1;
  }
}

/** How long the world goes on after the end of the run, so that what is late arrives. */
const LINGER_MS = 600_000;
