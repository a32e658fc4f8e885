import { writeFileSync } from 'node:fs';
import PQueue from 'p-queue';
import { endForLog } from '../../app/launcher/launch.ts';
import type { PagePolicy, Tasks } from '../../app/launcher/tasks.ts';
import type { Person, Role } from '../../app/people/people.ts';
import { keptPlan } from '../../app/plan/plan-result.ts';
import { Refusal } from '../../domain/refusal.ts';
import { REFUSAL_EXIT } from '../../domain/refusals/kinds.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { messages } from '../../messages/messages.ts';
import { within } from '../once.ts';
import type { WebParts } from '../parts.ts';
import { apartRefused, type Refused, refusedBy } from '../refused.ts';
import type { Problem } from '../shell/parts.ts';
import { type RefusalDetails, refusalDetails } from '../uploads/checks.ts';
import { fileOrderOf, type Upload } from '../uploads/uploads.ts';

/** What somebody chose for a plan beside the file. */
export type PlanChoices = {
  /** Rows with problems are left out. */
  onlyValid: boolean;
  period: string | null;
  /** The earlier run that is knowingly paid again. */
  allowRepeat: string | null;
};

export type RefusedPlan = { state: 'refused'; choices: PlanChoices } & Problem & RefusalDetails;
type Planned = { state: 'planned'; runId: string } | RefusedPlan;

/** Who makes a plan; the passphrase opens their key. */
type Maker = { person: Person; passphrase: string };

/** A plan mostly waits for the service. */
const AT_ONCE = 2;
const KEPT_MAX = 1_000;

/** Why there is no plan where nobody could approve it. */
export const NO_APPROVER: Problem = {
  message: 'Nobody here could approve this plan: nobody approves a plan that they made.',
  remedy: 'An administrator invites an approver, or makes somebody else one; then plan it again.',
};

const BROKEN: Problem = {
  message: 'The plan could not be made. Nothing was sent.',
  remedy: 'Try again. If it stays so, the log file in the data directory says why.',
};

const HAS_PROBLEMS: Problem = {
  message: 'The file has problems, so no plan was made.',
  remedy: 'Fix them, or continue with the valid rows.',
};

/** Plans of uploads that are being made, each in a process of its own, and why the last one of an upload was refused. */
export class Plannings {
  readonly #parts: WebParts;
  readonly #queue = new PQueue({ concurrency: AT_ONCE });
  readonly #known = new Map<string, { done: Planned | null; ended: Promise<Planned> }>();

  constructor(parts: WebParts) {
    this.#parts = parts;
  }

  /** Begins to plan, unless that is under way. */
  begin(upload: Upload, maker: Maker, choices: PlanChoices): void {
    if (this.isUnderWay(upload)) return;
    this.#makeRoom();
    const planning: { done: Planned | null; ended: Promise<Planned> } = {
      done: null,
      ended: this.#queue
        .add(() => this.#plan(upload, maker, choices))
        .catch((error: unknown) =>
          refusedPlan(
            refusedBy(error, BROKEN, (why) => this.#logBroken(why)),
            choices,
          ),
        )
        .then((done) => {
          planning.done = done;
          return done;
        }),
    };
    this.#known.set(upload.id, planning);
  }

  /** The outcome within `waitMs`: `busy` while it lasts, null where nobody asked for a plan since the page was started. */
  async look({ id }: Upload, waitMs: number): Promise<Planned | 'busy' | null> {
    const known = this.#known.get(id);
    if (known === undefined) return null;
    return known.done ?? (await within(this.#parts.deps.clock, known.ended, waitMs)) ?? 'busy';
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

  #logBroken(error: unknown): void {
    this.#parts.deps.log.error({ error }, 'a plan could not be made');
  }

  async #plan(upload: Upload, { person, passphrase }: Maker, choices: PlanChoices): Promise<Planned> {
    const { deps, uploads, audit, store } = this.#parts;
    const policy = await policyOf(this.#parts, upload, person);
    if (policy.outcome === 'nobody') return refusedPlan(NO_APPROVER, choices);
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
      store.transaction(() => {
        uploads.setRun(upload.id, runId);
        const details = { upload: upload.id, digest, ...choices };
        audit.append({ person: person.id, act: 'planned', runId, details });
      });
      return { state: 'planned', runId };
    }
    const { exit, ...why } = refusedBecause(ended);
    if (ended.outcome !== 'done' && ended.outcome !== 'refused')
      deps.log.error({ upload: upload.id, ...endForLog(ended) }, 'a plan gave no answer');
    audit.append({ person: person.id, act: 'plan_refused', details: { upload: upload.id, exit, why: why.message } });
    const details =
      ended.outcome === 'refused' ? refusalDetails.parse(messages.refusals.refusalOnPage(ended.refusal).details) : {};
    return refusedPlan({ ...why, ...details }, choices);
  }
}

function refusedPlan({ message, remedy, ...details }: Problem & RefusalDetails, choices: PlanChoices): RefusedPlan {
  const { rows, repeatable, other_period } = details;
  return { state: 'refused', message, remedy, choices, rows, repeatable, other_period };
}

function refusedBecause(ended: Awaited<ReturnType<Tasks['plan']>>): Refused {
  return ended.outcome === 'done' ? { ...HAS_PROBLEMS, exit: REFUSAL_EXIT.input } : apartRefused(ended, BROKEN);
}

/**
 * Who approves a plan: `known` where its job names them, or the run that is retried; else everybody of the page with that
 * role, one approval. `nobody`: only who makes the plan could approve it.
 */
type Policy = { outcome: 'known' } | { outcome: 'of_page'; policy: PagePolicy } | { outcome: 'nobody' };

/** Throws a `Refusal` where the run that the file corrects cannot be read. */
async function policyOf(parts: WebParts, { corrects, job }: Upload, maker: Person): Promise<Policy> {
  if (corrects === null) return hasOwnPolicy(parts, job) ? { outcome: 'known' } : pagePolicy(parts, maker);
  const retried = await parts.runs.read(corrects);
  if (retried !== null) return retryPolicy(parts, retried.run, maker);
  throw new Refusal({ code: 'corrected_run_unreadable' });
}

/** Who approves a retry. */
export function retryPolicy(parts: WebParts, { header, plan }: RunState, maker: Person): Policy {
  const isKnown = hasOwnPolicy(parts, header?.job ?? null) || (plan?.approval ?? null) !== null;
  return isKnown ? { outcome: 'known' } : pagePolicy(parts, maker);
}

function hasOwnPolicy({ deps }: WebParts, job: string | null): boolean {
  return deps.jobs().some(({ name, namesApprovers }) => name === job && namesApprovers);
}

function pagePolicy({ people }: WebParts, maker: Person): Policy {
  const named = (role: Role) =>
    people
      .withRole(role)
      .flatMap(({ name, publicKey }) => (publicKey === null ? [] : [{ name, public_key: publicKey }]));
  const approvers = named('approver');
  if (approvers.every(({ public_key }) => public_key === maker.publicKey)) return { outcome: 'nobody' };
  return { outcome: 'of_page', policy: { preparers: named('preparer'), approvers, required: '1' } };
}
