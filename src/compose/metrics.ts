import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type FiguresReading, type JournalFigures, RUN_MODES } from '../journal/figures.ts';
import { type Clock, within } from '../platform/clock.ts';
import { type Measure, onMeasure } from '../platform/measures.ts';

/** However many ask, the journal is asked so often at most. */
const ASK_EVERY_MS = 5_000;
/** It has so long to answer: Prometheus waits for ten seconds. */
const ANSWER_MS = 8_000;

/** Requests are answered in some ten milliseconds, or given up after their lifetime. In seconds. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** How many times of each job passed unpaid, as the schedule knows them now. */
export type MissedTimes = () => Iterable<readonly [job: string, times: number]>;

type Given = { figures: FiguresReading; clock: Clock; missed?: MissedTimes | undefined };

/** What operators watch of the journal, and of the schedule where this process is one, in Prometheus's text format. */
export class JournalMetrics {
  readonly #given: Given;
  #asked: { atMs: number; answer: Promise<JournalFigures | null> } | null = null;

  constructor(given: Given) {
    this.#given = given;
  }

  /** Without a journal that answers it says so, and nothing else of it. */
  async text(): Promise<string> {
    const figures = await this.#figures();
    // One of its own for each who asks: no two write to the same.
    const registry = new Registry();
    const gauge = gaugesIn(registry);
    gauge('payrun_journal_up', 'Whether the journal answers (1) or not (0).').set(figures === null ? 0 : 1);
    if (figures !== null) show(figures, gauge, this.#given.clock.wallMs());
    if (this.#given.missed !== undefined) {
      const missed = gauge('payrun_schedule_missed_times', 'Times of the schedule of the job that passed unpaid.', [
        'job_name',
      ]);
      for (const [job, times] of this.#given.missed()) missed.set({ job_name: job }, times);
    }
    return registry.metrics();
  }

  /** One that is late is still waited for by who asks next. */
  async #figures(): Promise<JournalFigures | null> {
    const { figures, clock } = this.#given;
    const nowMs = clock.monotonicMs();
    if (this.#asked === null || nowMs - this.#asked.atMs >= ASK_EVERY_MS) {
      const asked = { atMs: Infinity, answer: figures.read().catch(() => null) };
      void asked.answer.finally(() => {
        asked.atMs = clock.monotonicMs();
      });
      this.#asked = asked;
    }
    return within(clock, ANSWER_MS, this.#asked.answer);
  }
}

type NewGauge = <Label extends string>(name: string, help: string, labelNames?: Label[]) => Gauge<Label>;

function gaugesIn(registry: Registry): NewGauge {
  return (name, help, labelNames = []) => new Gauge({ name, help, labelNames, registers: [registry] });
}

function show({ sizeBytes, modes }: JournalFigures, gauge: NewGauge, nowMs: number): void {
  const payouts = gauge('payrun_payouts', 'Payouts of started runs by state; unresolved ones need a decision.', [
    'mode',
    'state',
  ]);
  const unconfirmed = gauge(
    'payrun_oldest_unconfirmed_payout_age_seconds',
    'For how long the outcome of the oldest unconfirmed payout is unknown; 0 where none is.',
    ['mode'],
  );
  const success = gauge(
    'payrun_job_last_success_timestamp_seconds',
    'When the last run of the job finished with every payout completed.',
    ['mode', 'job_name'],
  );
  gauge('payrun_journal_size_bytes', 'Size of the journal in its database.').set(sizeBytes);
  for (const mode of RUN_MODES) {
    const { payouts: counts, unconfirmedSince, lastSuccess } = modes[mode];
    for (const [state, count] of Object.entries(counts)) payouts.set({ mode, state }, count);
    unconfirmed.set({ mode }, unconfirmedSince === null ? 0 : Math.max(nowMs - unconfirmedSince, 0) / 1_000);
    for (const [job, at] of lastSuccess) success.set({ mode, job_name: job }, at / 1_000);
  }
}

/** The same, and what this process did and uses, for as long as it runs. */
export class Metrics {
  readonly #journal: JournalMetrics;
  readonly #registry = new Registry();
  readonly #end: () => void;

  constructor(given: Given) {
    this.#journal = new JournalMetrics(given);
    collectDefaultMetrics({ register: this.#registry });
    this.#end = onMeasure(countingIn(this.#registry));
  }

  async text(): Promise<string> {
    // prom-client writes Nan, and the format has NaN.
    const ofProcess = (await this.#registry.metrics()).replaceAll(/ Nan$/gm, ' NaN');
    return `${await this.#journal.text()}${ofProcess}`;
  }

  close(): void {
    this.#end();
    this.#registry.clear();
  }
}

function countingIn(registry: Registry): (one: Measure) => void {
  const registers = [registry];
  const requests = new Histogram({
    name: 'payrun_request_duration_seconds',
    help: 'Duration of requests to the payment service, by operation and what the answer meant.',
    labelNames: ['operation', 'outcome'],
    buckets: BUCKETS,
    registers,
  });
  const waited = new Counter({
    name: 'payrun_rate_limit_wait_seconds_total',
    help: 'Time in which requests waited for the rate limit, or for a pause that the service asked for.',
    registers,
  });
  const takeovers = new Counter({
    name: 'payrun_takeovers_total',
    help: 'Runs taken over from a process that had not given them back.',
    registers,
  });
  return (one) => {
    switch (one.kind) {
      case 'request':
        return requests.observe({ operation: one.operation, outcome: one.outcome }, one.seconds);
      case 'rate_limit_wait':
        return waited.inc(one.seconds);
      case 'takeover':
        return takeovers.inc();
    }
  };
}
