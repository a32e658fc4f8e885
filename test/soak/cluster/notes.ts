import { appendFileSync } from 'node:fs';
import type { Ear, KeptRunning } from './kept-running.ts';

/** A line of a worker or scheduler. */
type Line = {
  event?: string;
  exit?: number | null;
  message?: string;
  job?: string;
  pid?: number | null;
  /** What a job printed. */
  result?: { message?: string } | null;
};

const MESSAGE_MAX = 300;
const RUN_ID = /\bR\d{8}-[0-9A-Z]{8}\b/g;
const DATABASE = /(?:the )?database postgres:\S+/gi;

/** What the processes of a cluster have printed, and how those ended that nobody had killed. */
export class Notes implements Ear {
  /** By kind of process and event. */
  readonly events = new Map<string, number>();
  readonly messages = new Map<string, number>();
  /** Processes that ended by themselves, by kind and exit. */
  readonly restarts = new Map<string, number>();
  /** What no process should have done. */
  readonly findings: string[] = [];
  /** Of each scheduler, the processes of jobs that it has begun and that have not ended. */
  readonly #jobs = new WeakMap<KeptRunning, Map<string, number>>();
  readonly #file: string;

  /** `file`: has all of it, with its time. */
  constructor(file: string) {
    this.#file = file;
  }

  line(from: KeptRunning, line: unknown): void {
    const { event, exit, job, pid, result, message = result?.message } = line as Line;
    this.write(from, line);
    if (event === undefined) return;
    const how = exit === undefined || exit === 0 ? '' : ` with ${exit}`;
    count(this.events, `${from.kind}: ${event}${how}`);
    if (message !== undefined) this.#count(`${from.kind}: ${event}: ${message}`);
    if (job === undefined) return;
    const jobs = this.#jobs.get(from) ?? new Map<string, number>();
    this.#jobs.set(from, jobs);
    if (event === 'started' && pid) jobs.set(job, pid);
    if (event === 'ended') jobs.delete(job);
  }

  endedItself(from: KeptRunning, exit: number | string, stderr: string): void {
    this.write(from, { exit, stderr });
    count(this.restarts, `${from.kind} with ${exit}`);
  }

  finding(text: string): void {
    this.write(null, { finding: text });
    this.findings.push(text);
  }

  message(text: string): void {
    this.write(null, text);
    this.#count(text);
  }

  /** Whichever run or database it is of. */
  #count(text: string): void {
    const same = text.replaceAll(RUN_ID, 'RUN').replaceAll(DATABASE, 'the database');
    count(this.messages, same.slice(0, MESSAGE_MAX));
  }

  /** `from`: null where the soak itself did or saw it. */
  write(from: KeptRunning | null, what: unknown): void {
    const who = from === null ? 'soak' : `${from.kind} ${from.started.child.pid}`;
    appendFileSync(this.#file, `${new Date().toISOString()} ${who} ${JSON.stringify(what)}\n`);
  }

  /** The processes of the jobs that a scheduler has begun, which are forgotten now. */
  takeJobs(scheduler: KeptRunning): number[] {
    const jobs = this.#jobs.get(scheduler);
    this.#jobs.delete(scheduler);
    return [...(jobs?.values() ?? [])];
  }
}

export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

export function total(counts: Map<string, number>): number {
  return [...counts.values()].reduce((sum, one) => sum + one, 0);
}

/** `3 workers, 1 page` */
export function listed(counts: Map<string, number>): string {
  return [...counts].map(([name, times]) => `${times} ${name}`).join(', ') || 'none';
}
