import { writeFileSync } from 'node:fs';
import PQueue from 'p-queue';
import { z } from 'zod';
import { endForLog } from '../../app/launcher/launch.ts';
import type { Tasks } from '../../app/launcher/tasks.ts';
import { keptPlan } from '../../app/plan/plan-result.ts';
import { wantedStart } from '../../app/schedule/plan-start.ts';
import { REFUSAL_EXIT } from '../../domain/refusals/kinds.ts';
import { isoUtc } from '../../domain/time.ts';
import { messages } from '../../messages/messages.ts';
import { textTable } from '../../messages/translate.ts';
import { ANYBODY, asViewer } from '../../messages/viewer.ts';
import { within } from '../once.ts';
import type { WebParts } from '../parts.ts';
import { apartRefused, inWordsOfReader, type KeptProblem, keptProblem, type Refused, refusedBy } from '../refused.ts';
import type { Problem } from '../shell/parts.ts';
import { type RefusalDetails, refusalDetails } from '../uploads/checks.ts';
import { fileOrderOf, type Upload } from '../uploads/uploads.ts';
import { NO_APPROVER, type PlanMaker, policyOf } from './plan-policy.ts';

/** What somebody chose for a plan beside the file. */
const planChoices = z.object({
  /** Rows with problems are left out. */
  onlyValid: z.boolean(),
  period: z.string().nullable(),
  /** The earlier run that is knowingly paid again. */
  allowRepeat: z.string().nullable(),
  /** When it is to be started on its own; absent in plannings of earlier versions. */
  start: wantedStart.nullable().default(null),
});

export type PlanChoices = z.output<typeof planChoices>;

const refusedShape = refusalDetails.extend({
  ...keptProblem.shape,
  state: z.literal('refused'),
  choices: planChoices,
  /** Why, as a code; absent where the host that made it went away. */
  reason: z.string().optional(),
});

/** What became of a plan. */
const planned = z.discriminatedUnion('state', [
  z.object({ state: z.literal('planned'), runId: z.string() }),
  refusedShape,
]);

export type RefusedPlan = z.output<typeof refusedShape>;
type Planned = z.output<typeof planned>;

/** Who makes a plan; the passphrase opens their key, or that of the token. */
type Maker = PlanMaker & { passphrase: string };

/** A plan mostly waits for the service. */
const AT_ONCE = 2;
const KEPT_MAX = 1_000;

const BROKEN: Problem = textTable({
  message: 'The plan could not be made. Nothing was sent.',
  remedy: 'Try again. If the problem persists, see the log file in the data directory.',
});

const HAS_PROBLEMS: Problem = textTable({
  message: 'The file has problems, so no plan was made.',
  remedy: 'Fix them, or continue with the valid rows.',
});

const CUT_OFF: Problem = textTable({
  message: 'The plan was not completed because its host stopped. Nothing was sent.',
  remedy: 'Plan it again.',
});

type PlanningRow = { choices: string; outcome: string | null };

/**
 * Plans of uploads that are being made, each in a process of its own on one of the hosts, and what became of the last one of
 * each upload.
 */
export class Plannings {
  readonly #parts: WebParts;
  readonly #queue = new PQueue({ concurrency: AT_ONCE });
  /** Those that this host makes, by upload. */
  readonly #here = new Map<string, Promise<void>>();

  constructor(parts: WebParts) {
    this.#parts = parts;
  }

  /** Begins to plan, unless that is under way. */
  async begin(upload: Upload, maker: Maker, choices: PlanChoices): Promise<void> {
    const claim = await this.#parts.work.take(keyOf(upload), 'planned');
    if (claim === null) return;
    try {
      await this.#noteBegun(upload, choices);
    } catch (error) {
      await claim.release();
      throw error;
    }
    const ended = this.#queue
      .add(() => asViewer(ANYBODY, () => this.#planOrRefuse(upload, maker, choices)))
      .then((done) => this.#note(upload, done))
      .finally(() => claim.release())
      .finally(() => this.#here.delete(upload.id));
    this.#here.set(upload.id, ended);
  }

  /** The outcome within `waitMs`: `busy` while it lasts, null where nobody asked for a plan. */
  async look(upload: Upload, waitMs: number): Promise<Planned | 'busy' | null> {
    const here = this.#here.get(upload.id);
    if (here !== undefined) await within(this.#parts.deps.clock, here, waitMs);
    const isUnderWay = await this.isUnderWay(upload);
    // Read after that: what was under way may be over.
    const sql = 'SELECT choices, outcome FROM planning WHERE upload_id = ?';
    const row = await this.#parts.store.get<PlanningRow>(sql, upload.id);
    if (row === undefined) return isUnderWay ? 'busy' : null;
    if (row.outcome !== null) return forReader(planned.parse(JSON.parse(row.outcome)));
    return isUnderWay ? 'busy' : refusedPlan(CUT_OFF, planChoices.parse(JSON.parse(row.choices)));
  }

  async isUnderWay(upload: Pick<Upload, 'id'>): Promise<boolean> {
    return (await this.#parts.work.underWay(keyOf(upload))) !== null;
  }

  /** Resolves when what this host makes of an upload is over. */
  async ended({ id }: Pick<Upload, 'id'>): Promise<void> {
    await this.#here.get(id);
  }

  /** The same of all of them. */
  async allEnded(): Promise<void> {
    await Promise.all(this.#here.values());
  }

  /** Before anybody may ask what became of it. */
  async #noteBegun({ id }: Upload, choices: PlanChoices): Promise<void> {
    const { store, deps } = this.#parts;
    const sql = `INSERT INTO planning (upload_id, at, choices) VALUES (?, ?, ?)
      ON CONFLICT (upload_id) DO UPDATE SET at = excluded.at, choices = excluded.choices, outcome = NULL`;
    await store.run(sql, id, deps.clock.wallMs(), JSON.stringify(choices));
    const older = 'SELECT upload_id AS id FROM planning WHERE outcome IS NOT NULL ORDER BY at DESC LIMIT ? OFFSET ?';
    for (const old of await store.all<{ id: string }>(older, KEPT_MAX, KEPT_MAX))
      await store.run('DELETE FROM planning WHERE upload_id = ?', old.id);
  }

  /** Where it cannot be noted, the plan counts as cut off; one that was made is under Payments. */
  async #note({ id }: Upload, done: Planned): Promise<void> {
    const noted = this.#parts.store.run(
      'UPDATE planning SET outcome = ? WHERE upload_id = ?',
      JSON.stringify(done),
      id,
    );
    await noted.catch((error: unknown) => this.#logBroken(error));
  }

  /** Corrected rows go where the rows of their run went. */
  async #overOf(upload: Upload) {
    const { connections, runs } = this.#parts;
    const header = upload.corrects === null ? null : (await runs.read(upload.corrects))?.run.header;
    return header ? connections.overRun(header, { isNew: true }) : connections.overUpload(upload);
  }

  #logBroken(error: unknown): void {
    this.#parts.deps.log.error({ error }, 'a plan could not be made');
  }

  #planOrRefuse(upload: Upload, maker: Maker, choices: PlanChoices): Promise<Planned> {
    return this.#plan(upload, maker, choices).catch((error: unknown) =>
      refusedPlan(
        refusedBy(error, BROKEN, (why) => this.#logBroken(why)),
        choices,
      ),
    );
  }

  async #plan(upload: Upload, maker: Maker, choices: PlanChoices): Promise<Planned> {
    const { deps, people, remembered, uploads, audit, store } = this.#parts;
    const { person, passphrase, token } = maker;
    const policy = await policyOf(this.#parts, upload, maker, choices.start);
    if (policy.outcome === 'nobody') return refusedPlan({ ...NO_APPROVER, reason: 'no_approver' }, choices);
    const way = await this.#overOf(upload);
    if ('refused' in way) return refusedPlan({ ...way.refused, reason: 'connection_unusable' }, choices);
    const order = {
      over: way.over,
      ...(await fileOrderOf(upload, uploads, deps.jobs())),
      ...choices,
      policy: policy.outcome === 'of_page' ? policy.policy : null,
    };
    const via = token && { token: token.name };
    const ended = await people.withKey(token ?? person, (keyFile) => {
      const maker = { keyFile, passphrase, person: person.name };
      return remembered.with((memory) => deps.tasks.plan({ ...order, maker, memory }));
    });
    if (ended.outcome === 'done' && ended.value.outcome === 'planned') {
      const kept = keptPlan.parse(ended.value.plan);
      const { run_id: runId, digest } = kept;
      writeFileSync(uploads.beside(upload, planFile(runId)), JSON.stringify(kept), { mode: 0o600 });
      await uploads.keep(upload, planFile(runId));
      await store.transaction(async () => {
        await uploads.setRun(upload.id, runId);
        const { start, ...chosen } = choices;
        const scheduled = start && { time: isoUtc(start.at), time_zone: start.time_zone };
        const details = { upload: upload.id, digest, ...chosen, ...scheduled, ...via };
        await audit.append({ person: person.id, act: 'planned', runId, details });
      });
      return { state: 'planned', runId };
    }
    const { exit, ...why } = refusedBecause(ended);
    const { message, refusal } = why;
    if (ended.outcome !== 'done' && ended.outcome !== 'refused')
      deps.log.error({ upload: upload.id, ...endForLog(ended) }, 'a plan gave no answer');
    await audit.append({
      person: person.id,
      act: 'plan_refused',
      details: { upload: upload.id, exit, why: message, refusal, ...via },
    });
    if (ended.outcome !== 'refused')
      return refusedPlan({ ...why, reason: ended.outcome === 'done' ? 'has_problems' : 'broken' }, choices);
    const details = refusalDetails.parse(messages.refusals.refusalOnPage(ended.refusal).details);
    return refusedPlan({ ...why, ...details, reason: ended.refusal.reason.code }, choices);
  }
}

/** The file beside an upload of what `plan` noted. */
export function planFile(runId: string): string {
  return `plan-${runId}.json`;
}

function keyOf({ id }: Pick<Upload, 'id'>): string {
  return `plan ${id}`;
}

type WhyRefused = KeptProblem & RefusalDetails & Pick<RefusedPlan, 'reason'>;

function refusedPlan({ message, remedy, refusal, ...details }: WhyRefused, choices: PlanChoices): RefusedPlan {
  return { state: 'refused', message, remedy, refusal, choices, ...details };
}

function forReader(made: Planned): Planned {
  return made.state === 'refused' ? { ...made, ...inWordsOfReader(made) } : made;
}

function refusedBecause(ended: Awaited<ReturnType<Tasks['plan']>>): Refused {
  return ended.outcome === 'done' ? { ...HAS_PROBLEMS, exit: REFUSAL_EXIT.input } : apartRefused(ended, BROKEN);
}
