import type { Currency } from '../../src/domain/currencies.ts';
import { CLOCK_SKEW_MAX_MS } from '../../src/runner/plan/preflight.ts';
import { SOURCES } from './conversions.ts';
import { type Counts, count } from './counts.ts';
import type { Crew } from './crew.ts';
import type { Network } from './network.ts';
import type { Oracle } from './oracle.ts';
import type { Random } from './random.ts';
import type { Mischief, Scenario } from './scenario.ts';
import type { CommitFate } from './sim-journal.ts';
import { LEASE_MS, type SimRunner } from './sim-runner.ts';
import type { SimService } from './sim-service.ts';
import type { Machine, World } from './world.ts';

export type MischiefOptions = {
  world: World;
  dice: Random;
  scenario: Scenario;
  service: SimService;
  network: Network;
  oracle: Oracle;
  crew: Crew;
  counts: Counts;
};

/** Does to processes, machines and clocks what the scenario has for them, until the weather ends. */
export class MischiefMaker {
  readonly #options: MischiefOptions;

  constructor(options: MischiefOptions) {
    this.#options = options;
  }

  /** Sets the clocks apart. */
  setClocks(): void {
    const { dice, scenario } = this.#options;
    for (const machine of this.#machines) machine.offsetMs = Math.round((dice.next() - 0.5) * scenario.clockSkewMs);
  }

  /** The next mischief comes, and after it another. */
  begin(): void {
    const { world, dice, scenario, network, crew } = this.#options;
    world.schedule(null, dice.gap(scenario.mischiefEveryMs), 'mischief', () => {
      if (network.isQuiet || crew.isOver) return;
      world.judged(() => this.#do(dice.weighted(scenario.mischiefs)));
      this.begin();
    });
  }

  /** Prices move, until the weather ends. */
  beginMoving(): void {
    const { world, dice, scenario, network, crew } = this.#options;
    if (scenario.conversions === null) return;
    world.schedule(null, dice.gap(scenario.conversions.moveEveryMs), 'a price moves', () => {
      if (network.isQuiet || crew.isOver) return;
      world.judged(() => this.#movePrice());
      this.beginMoving();
    });
  }

  /** What a quote says may not be true any more when it arrives. */
  movePriceAtQuote(): void {
    const { dice, scenario, network } = this.#options;
    if (network.isQuiet || scenario.conversions === null) return;
    if (dice.chance(scenario.conversions.moveAtQuote)) this.#movePrice();
  }

  /** Clocks are set right, and the service runs. */
  end(): void {
    for (const machine of this.#machines) machine.offsetMs = 0;
    if (!this.#options.service.isUp) this.#restartLater();
  }

  /** Whether a process dies with the request that it sends. */
  crashAtRequest(): 'no' | 'before' | 'after' {
    const { dice, scenario, network } = this.#options;
    return !network.isQuiet && dice.chance(scenario.crashAtStep) ? dice.pick(['before', 'after']) : 'no';
  }

  /** How a commit of the runner goes. */
  commitFate(): CommitFate {
    const { dice, scenario, network } = this.#options;
    if (network.isQuiet) return 'good';
    if (dice.chance(scenario.crashAtStep)) return dice.pick(['crash_before', 'crash_after']);
    if (dice.chance(scenario.commitError)) return dice.pick(['error_before', 'error_after']);
    return 'good';
  }

  /** Whether the service dies at its commit. */
  serviceCrash(): 'no' | 'before' | 'after' {
    const { dice, scenario, network } = this.#options;
    const { mischiefs, crashAtStep } = scenario;
    const isPossible = mischiefs.some(([kind, weight]) => kind === 'service_restart' && weight > 0);
    if (network.isQuiet || !isPossible || !dice.chance(crashAtStep / 2)) return 'no';
    this.#restartLater();
    return dice.pick(['before', 'after']);
  }

  get #machines(): Machine[] {
    return [...this.#options.crew.machines, this.#options.service.machine];
  }

  #do(kind: Mischief): void {
    const { world, dice, scenario, service, crew, counts } = this.#options;
    const [runner] = [...crew.living].slice(dice.whole(0, Math.max(crew.living.size - 1, 0)));
    switch (kind) {
      case 'crash':
        if (runner) crew.die(runner.process);
        return;
      case 'freeze':
        if (runner) this.#freeze(runner);
        return;
      case 'runner_clock': {
        const machine = dice.pick(crew.machines);
        this.#jump(machine, machine.name, scenario.clockJumpMs);
        return;
      }
      case 'service_clock':
        this.#jump(service.machine, 'the service', Math.min(scenario.clockJumpMs, 30_000));
        return;
      case 'service_restart':
        if (!service.isUp) return;
        service.crash();
        this.#restartLater();
        return;
      case 'interrupt':
        if (!runner) return;
        count(counts, 'interrupts');
        world.note(`${runner.process.name} is interrupted`);
        runner.interrupt();
        return;
      case 'second_runner':
        crew.startBeside();
        return;
      case 'colleague':
        this.#payByHand();
        return;
    }
  }

  #movePrice(): void {
    const { world, dice, scenario, service, counts } = this.#options;
    const mostBps = scenario.conversions?.moveBps ?? 0;
    const currency = dice.pick(SOURCES);
    const bps = Math.round((dice.next() - 0.5) * 2 * mostBps);
    service.movePrice(currency, bps);
    count(counts, 'prices moved');
    world.note(`the price of ${currency.code} is ${bps} bps from where it began`);
  }

  #freeze({ process }: SimRunner): void {
    const { world, dice, crew, counts } = this.#options;
    const ms = dice.gap(dice.pick([500, 10_000, 60_000]));
    process.frozenUntilMs = world.nowMs + ms;
    count(counts, 'freezes');
    world.note(`${process.name} is frozen for ${Math.round(ms)} ms`);
    // Whoever waits for it starts another on another machine, which may take over when the lease has run out.
    if (ms > LEASE_MS / 2)
      world.schedule(null, LEASE_MS + dice.gap(10_000), 'somebody takes over', () => crew.startBeside());
  }

  /** A clock jumps. Where two are further apart than the runner allows for, a record is not known by its time. */
  #jump(machine: Machine, whose: string, mostMs: number): void {
    const { world, dice, oracle, counts } = this.#options;
    machine.offsetMs += Math.round((dice.next() - 0.5) * 2 * mostMs);
    count(counts, 'jumps');
    const offsets = this.#machines.map(({ offsetMs }) => offsetMs);
    if (Math.max(...offsets) - Math.min(...offsets) > CLOCK_SKEW_MAX_MS) oracle.books.isLitterAllowed = true;
    world.note(`the clock of ${whose} is ${machine.offsetMs} ms ahead now`);
  }

  #restartLater(): void {
    const { world, dice, service, counts } = this.#options;
    count(counts, 'restarts');
    world.schedule(null, dice.gap(2_000), 'the service starts', () => {
      if (service.isUp) return;
      service.start();
      world.note('the service is up');
    });
  }

  /**
   * Somebody else pays at the same service: perhaps one of our rows, seeing that it is in doubt, with its token in the
   * description and another amount, or to another account; perhaps something that has nothing to do with us and looks the
   * same.
   */
  #payByHand(): void {
    const { world, dice, scenario, service, oracle, counts } = this.#options;
    if (!service.isUp) return;
    const open = [...oracle.run.payouts.values()].flatMap((payout) => ('intent' in payout ? [payout.intent] : []));
    if (open.length === 0) return;
    const intent = dice.pick(open);
    const isQuoted = dice.chance(0.7);
    // Without a conversion, in what the payee is to receive.
    const { amount_minor, currency } = intent.received ?? intent;
    const others = this.#accountsLike(currency, intent.external_account_id);
    // Where a transaction does not show its account, one to another account is ours by all that can be seen.
    const isElsewhere = scenario.variant.hasAccountIds && others.length > 0 && dice.chance(0.4);
    const isMore = isQuoted && !isElsewhere && dice.chance(0.7);
    const value = isMore ? String(BigInt(amount_minor) + 100n) : amount_minor;
    // One that is quoted with the very amount is the payout by all that can be seen, unless it was to be converted.
    if (isQuoted && !isMore && !isElsewhere && intent.received === null) return;
    const { code, chain, decimals } = currency;
    const id = service.direct('transaction.transfer', {
      currency_out: { value, code, decimals, ...(chain === null ? {} : { chain }) },
      external_accounts: { from: null, to: { id: isElsewhere ? dice.pick(others) : intent.external_account_id } },
      metadata: { description: isQuoted ? `by hand, for ${intent.token}` : 'by hand' },
    });
    oracle.books.foreign.add(String(id));
    count(counts, isElsewhere ? 'payments elsewhere' : 'payments by hand');
    world.note(
      `a colleague pays ${isElsewhere ? 'another account for ' : ''}row ${intent.row} by hand: ${id}, ${value}${isQuoted ? `, quoting ${intent.token}` : ''}`,
    );
  }

  /** Other accounts that payouts in this currency go to. */
  #accountsLike({ code, chain }: Currency, accountId: string): string[] {
    const ids = new Set<string>();
    for (const payout of this.#options.oracle.run.payouts.values()) {
      const sent = 'intent' in payout ? payout.intent : 'sent' in payout ? payout.sent : null;
      const received = sent?.received?.currency ?? sent?.currency;
      if (sent && received?.code === code && received.chain === chain) ids.add(sent.external_account_id);
    }
    ids.delete(accountId);
    return [...ids];
  }
}
