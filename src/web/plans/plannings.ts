import { writeFileSync } from 'node:fs';
import PQueue from 'p-queue';
import { endForLog } from '../../app/launcher/launch.ts';
import type { PagePolicy, Tasks } from '../../app/launcher/tasks.ts';
import { keptPlan } from '../../app/plan/plan-result.ts';
import { Refusal } from '../../domain/refusal.ts';
import { REFUSAL_EXIT } from '../../domain/refusals/kinds.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { refusalOnPage } from '../../messages/refusals/refusal.ts';
import type { WebParts } from '../parts.ts';
import type { Person } from '../people/people.ts';
import { type RefusalResult, refusalResult } from '../uploads/checks.ts';
import { fileOrderOf, type Upload } from '../uploads/uploads.ts';

/** What somebody chose for a plan beside the file. */
export type PlanChoices = {
  /** Rows with problems are left out. */
  onlyValid: boolean;
  period: string | null;
  /** The earlier run that is knowingly paid again. */
  allowRepeat: string | null;
};

export type Planned =
  | { state: 'planned'; runId: string }
  | ({ state: 'refused'; message: string; remedy: string; choices: PlanChoices } & Partial<
      Pick<RefusalResult, 'rows' | 'repeatable' | 'other_period'>
    >);

/** What a plan does is mostly waiting for the service. */
const AT_ONCE = 2;
const KEPT_MAX = 1_000;

/** Why there is no plan where nobody could approve it. */
export const NO_APPROVER = {
  message: 'Nobody here could approve this plan: whoever makes a plan does not approve it.',
  remedy: 'An administrator invites an approver, or makes somebody else one; then plan it again.',
};

/** Plans of uploads that are being made, each in a process of its own, and why the last one of an upload was refused. */
export class Plannings {
  readonly #queue = new PQueue({ concurrency: AT_ONCE });
  readonly #known = new Map<string, { done: Planned | null; ended: Promise<Planned> }>();

  /** Begins to plan, unless that is under way. The passphrase opens the key of who makes the plan. */
  begin(web: WebParts, upload: Upload, maker: { person: Person; passphrase: string }, choices: PlanChoices): void {
    const known = this.#known.get(upload.id);
    if (known !== undefined && known.done === null) return;
    this.#makeRoom();
    const one: { done: Planned | null; ended: Promise<Planned> } = {
      done: null,
      ended: this.#queue
        .add(() => planned(web, upload, maker, choices))
        .catch((error: unknown) => refusedBy(web, error, choices))
        .then((done) => {
          one.done = done;
          return done;
        }),
    };
    this.#known.set(upload.id, one);
  }

  /** What came of it within `waitMs`: `busy` while it lasts, null where nobody asked for a plan since the page was started. */
  async look({ deps }: WebParts, { id }: Upload, waitMs: number): Promise<Planned | 'busy' | null> {
    const known = this.#known.get(id);
    if (known === undefined) return null;
    return known.done ?? Promise.race([known.ended, deps.clock.sleep(waitMs).then(() => 'busy' as const)]);
  }

  isUnderWay({ id }: Pick<Upload, 'id'>): boolean {
    return this.#known.get(id)?.done === null;
  }

  /** Resolves when what is under way for an upload is over. */
  async ended({ id }: Pick<Upload, 'id'>): Promise<void> {
    await this.#known.get(id)?.ended;
  }

  /** The same of all of them. */
  async allEnded(): Promise<void> {
    await Promise.all(Array.from(this.#known.values(), ({ ended }) => ended));
  }

  #makeRoom(): void {
    for (const [id, { done }] of this.#known) if (this.#known.size >= KEPT_MAX && done !== null) this.#known.delete(id);
  }
}

function refusedBy({ deps }: WebParts, error: unknown, choices: PlanChoices): Planned {
  if (error instanceof Refusal) return { state: 'refused', ...refusalOnPage(error), choices };
  deps.log.error({ error }, 'a plan could not be made');
  return { state: 'refused', ...BROKEN, choices };
}

const BROKEN = {
  message: 'The plan could not be made. Nothing was sent.',
  remedy: 'Try again. If it stays so, the log file in the data directory says why.',
};

async function planned(
  web: WebParts,
  upload: Upload,
  { person, passphrase }: { person: Person; passphrase: string },
  choices: PlanChoices,
): Promise<Planned> {
  const { deps, uploads, audit } = web;
  const policy = await policyOf(web, upload, person);
  if (policy.outcome === 'nobody') return { state: 'refused', ...NO_APPROVER, choices };
  const ended = await deps.tasks.plan({
    ...fileOrderOf(upload, uploads, deps.jobs()),
    ...choices,
    maker: { keyFile: person.keyFile ?? '', passphrase, person: person.name },
    policy: policy.outcome === 'of_page' ? policy.policy : null,
  });
  if (ended.outcome === 'done' && ended.value.outcome === 'planned') {
    const kept = keptPlan.parse(ended.value.plan);
    const { run_id: runId, digest } = kept;
    writeFileSync(uploads.beside(upload, `plan-${runId}.json`), JSON.stringify(kept), { mode: 0o600 });
    web.store.transaction(() => {
      uploads.setRun(upload.id, runId);
      const details = { upload: upload.id, digest, ...choices };
      audit.append({ person: person.id, act: 'planned', runId, details });
    });
    return { state: 'planned', runId };
  }
  const { exit, ...why } = refusedBecause(ended);
  if (exit === null || exit === BUG)
    deps.log.error({ upload: upload.id, ...endForLog(ended) }, 'a plan gave no answer');
  audit.append({ person: person.id, act: 'plan_refused', details: { upload: upload.id, exit, why: why.message } });
  return { state: 'refused', ...why, choices };
}

const BUG = 1;

type Because = RefusalResult & { exit: number | null };

function refusedBecause(ended: Awaited<ReturnType<Tasks['plan']>>): Because {
  if (ended.outcome === 'done') return { ...HAS_PROBLEMS, exit: REFUSAL_EXIT.input };
  if (ended.outcome !== 'refused') return { ...BROKEN, exit: ended.outcome === 'failed' ? BUG : null };
  const { kind, details, ...words } = refusalOnPage(ended.refusal);
  return { ...refusalResult.parse({ ...details, ...words }), exit: REFUSAL_EXIT[kind] };
}

const UNREAD = {
  message: 'The run whose rows the file corrects could not be read just now, so no plan was made.',
  remedy: 'Plan it again in a while.',
};

const HAS_PROBLEMS = {
  message: 'The file has problems, so no plan was made.',
  remedy: 'Mend them, or plan the rows without problems.',
};

/** Throws a `Refusal` where the run that the file corrects cannot be read. */
async function policyOf(web: WebParts, { corrects, job }: Upload, person: Person): Promise<Policy> {
  if (corrects !== null) {
    const retried = await web.runs.read(corrects);
    if (retried === null) throw new Refusal('refused', UNREAD.message, UNREAD.remedy);
    return retryPolicy(web, retried.run, person);
  }
  const listed = web.deps.jobs().find(({ name }) => name === job);
  const isOfJob = listed?.read.ok === true && listed.read.job.approval !== null;
  return isOfJob ? { outcome: 'known' } : pagePolicy(web, person);
}

/**
 * Who approves a plan: `known` where its job names them, or the run that is retried; else everybody of the page with that
 * role, one approval. `nobody`: only who makes the plan could approve it.
 */
type Policy = { outcome: 'known' } | { outcome: 'of_page'; policy: PagePolicy } | { outcome: 'nobody' };

function pagePolicy({ people }: WebParts, maker: Person): Policy {
  const named = (role: 'preparer' | 'approver') =>
    people
      .withRole(role)
      .flatMap(({ name, publicKey }) => (publicKey === null ? [] : [{ name, public_key: publicKey }]));
  const approvers = named('approver');
  if (approvers.every(({ public_key }) => public_key === maker.publicKey)) return { outcome: 'nobody' };
  return { outcome: 'of_page', policy: { preparers: named('preparer'), approvers, required: '1' } };
}

/** The same of a retry. */
export function retryPolicy(web: WebParts, { header, plan }: RunState, maker: Person): Policy {
  const listed = web.deps.jobs().find(({ name }) => name === header?.job);
  const isOfJob = listed?.read.ok === true && listed.read.job.approval !== null;
  return isOfJob || (plan?.approval ?? null) !== null ? { outcome: 'known' } : pagePolicy(web, maker);
}
