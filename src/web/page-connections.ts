import { shownProfileOf } from '../app/people/connection-profile.ts';
import { BUILT_IN, type Connections, type KeptConnection, whyClosed } from '../app/people/connections.ts';
import type { Entities, Entity } from '../app/people/entities.ts';
import type { KnownJob } from '../app/schedule/known-jobs.ts';
import type { Over } from '../app/service/over.ts';
import type { RunCreated } from '../domain/entry.ts';
import type { RefusalReason } from '../domain/refusals/reason.ts';
import { entityOfRun, MAIN_ENTITY } from '../domain/run/entity.ts';
import { messages } from '../messages/messages.ts';
import { t } from '../messages/translate.ts';
import type { Clock } from '../platform/clock.ts';
import type { PageServices } from './page-services.ts';
import type { Problem } from './shell/parts.ts';
import type { Upload } from './uploads/uploads.ts';

/** A connection as people choose it. */
export type PageConnection = {
  id: string;
  entity: Entity;
  name: string;
  /** The host of its service; of the rehearsal, where it is. */
  service: string;
  /** Whether no money moves; null where nobody knows yet. */
  isRehearsal: boolean | null;
  /** Null of what is built in: what the page was started with, and its rehearsal. */
  kept: KeptConnection | null;
};

type Parts = {
  deps: { services: PageServices; clock: Pick<Clock, 'wallMs'>; jobs(): readonly KnownJob[] };
  entities: Entities;
  kept: Connections;
  /** Of the service that the page was started with. */
  options: { readonly rehearsal: boolean | null };
};

const gone = (): Problem => ({
  message: t`This page does not have the connection of this payment.`,
  remedy: t`Continue it by command, with the profile of its service.`,
});

/** The service that a job names: no connection of the page, so that nobody can choose it. */
export const OF_JOB = 'job';

/** For so long after a payment its payouts may come back. */
const RETURNED_WITHIN_MS = 60 * 86_400_000;

/** What the rehearsal of an entity is chosen by. */
function rehearsalOf(entityId: string): string {
  return entityId === MAIN_ENTITY ? BUILT_IN.rehearsal : `${BUILT_IN.rehearsal}.${entityId}`;
}

function isBuiltInRehearsal(id: string): boolean {
  return id === BUILT_IN.rehearsal || id.startsWith(`${BUILT_IN.rehearsal}.`);
}

/**
 * What payments of this page go over: the service that it was started with, its rehearsal, which each entity has, and the
 * connections that administrators made. A payment says itself over which it goes, and is never paid over another.
 */
export class PageConnections {
  readonly #parts: Parts;
  readonly #unwatched = new Map<string, RefusalReason>();
  /** Those that administrators made. */
  readonly kept: Connections;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.kept = parts.kept;
  }

  /** Those that can be paid over first; also those that cannot be. */
  async list(): Promise<PageConnection[]> {
    const [entities, kept] = await Promise.all([this.#parts.entities.list(), this.kept.list()]);
    const made = kept.map((one) => madeOf(one, entities));
    return [...this.#started(entities), ...made, ...this.#rehearsals(entities)];
  }

  /** Those that something new can be paid over. */
  async usable(): Promise<PageConnection[]> {
    return (await this.list()).filter((one) => this.whyNot(one) === null);
  }

  /**
   * Those that say whether real money moves here: without the rehearsal, which everybody has for practice, unless it is all that
   * there is.
   */
  async counted(entityId: string | null = null): Promise<readonly PageConnection[]> {
    return countedIn((await this.usable()).filter(({ entity }) => entityId === null || entity.id === entityId));
  }

  /**
   * Those whose returns are looked for: what can be paid over, and what newer payments went over, also where it is disabled or
   * failed its test by now, since a bank takes days to send a payout back.
   */
  async paidOver(
    runs: readonly { created_at: number; header: Pick<RunCreated, 'connection'> }[],
  ): Promise<PageConnection[]> {
    const since = this.#parts.deps.clock.wallMs() - RETURNED_WITHIN_MS;
    const lately = new Set(
      runs.flatMap(({ created_at, header }) => (created_at < since ? [] : (header.connection ?? []))),
    );
    const counted = new Set((await this.counted()).map(({ id }) => id));
    return (await this.list()).filter(({ id }) => counted.has(id) || lately.has(id));
  }

  /** Keeps why returns over a connection could not be looked for; null where they were. */
  noteReturns(id: string, why: RefusalReason | null): void {
    if (why === null) this.#unwatched.delete(id);
    else this.#unwatched.set(id, why);
  }

  /** Why returns over a connection were not looked for the last time; null where they were, or nobody has tried. */
  whyUnwatched({ id }: Pick<PageConnection, 'id'>): RefusalReason | null {
    return this.#unwatched.get(id) ?? null;
  }

  /** Whether real money may be paid over one of them. */
  async anyLive(): Promise<boolean> {
    return (await this.usable()).some(({ isRehearsal }) => isRehearsal === false);
  }

  async get(id: string): Promise<PageConnection | null> {
    return (await this.list()).find((one) => one.id === id) ?? null;
  }

  /** The one by which somebody chose nothing: what the page was started with, or its rehearsal. */
  async byDefault(): Promise<PageConnection> {
    const entities = await this.#parts.entities.list();
    return [...this.#started(entities), ...this.#rehearsals(entities)][0] as PageConnection;
  }

  /** Null where it is not there any more. Without a choice a job that names a service is paid there, unless the page was started with one. */
  async ofUpload({ connectionId, job }: Pick<Upload, 'connectionId' | 'job'>): Promise<PageConnection | null> {
    if (connectionId !== null) return this.get(connectionId);
    const { services, jobs } = this.#parts.deps;
    const service = services.started === null ? jobs().find(({ name }) => name === job)?.service : undefined;
    const connection = await this.byDefault();
    if (service === undefined) return connection;
    return { ...connection, id: OF_JOB, name: service, service, isRehearsal: null };
  }

  /** The entity that a payment of the upload belongs to, by its id. */
  async entityOfUpload(upload: Pick<Upload, 'connectionId' | 'job'>): Promise<string> {
    const job = this.#parts.deps.jobs().find(({ name }) => name === upload.job);
    return job?.entity ?? (await this.ofUpload(upload))?.entity.id ?? MAIN_ENTITY;
  }

  /** The ID of the connection a run uses; null if it uses none of this page. */
  idOfRun(header: Pick<RunCreated, 'connection' | 'entity' | 'profile'>): string | null {
    if (header.connection !== undefined) return header.connection;
    if (header.profile.base_url === null) return rehearsalOf(entityOfRun(header));
    return this.#parts.deps.services.started === null ? null : BUILT_IN.started;
  }

  /** Null where it is not known here: by the run alone. */
  async ofRun(header: Pick<RunCreated, 'connection' | 'entity' | 'profile'>): Promise<PageConnection | null> {
    const id = this.idOfRun(header);
    return id === null ? null : this.get(id);
  }

  /** Why nothing new is planned or started over it; null where it can be. */
  whyNot({ kept, name }: PageConnection): Problem | null {
    const why = kept && whyClosed(kept);
    if (why === null) return null;
    const { message, remedy } = messages.refusals.refusalOnPage({
      reason: { code: 'connection_closed', connection: name, why },
    });
    return { message, remedy };
  }

  /** What a plan of the upload is made over, or why none is. */
  async overUpload(
    upload: Pick<Upload, 'connectionId' | 'job'>,
  ): Promise<{ over: Over | undefined } | { refused: Problem }> {
    const connection = await this.ofUpload(upload);
    if (connection === null) return { refused: gone() };
    const refused = this.whyNot(connection);
    if (refused !== null) return { refused };
    // Without a choice the job says where it is paid, or the options do.
    return { over: upload.connectionId === null ? undefined : this.over(connection) };
  }

  /** What work on a run goes over. `isNew`: something is begun that a connection which is disabled does not begin. */
  async overRun(
    header: Pick<RunCreated, 'connection' | 'entity' | 'profile'>,
    { isNew }: { isNew: boolean },
  ): Promise<{ over: Over | undefined } | { refused: Problem }> {
    const connection = await this.ofRun(header);
    if (connection === null) return header.connection === undefined ? { over: undefined } : { refused: gone() };
    const refused = isNew ? this.whyNot(connection) : null;
    return refused === null ? { over: this.over(connection) } : { refused };
  }

  /** Undefined for what the page was started with: its options say all. */
  over({ id, entity, kept, isRehearsal }: PageConnection): Over | undefined {
    if (id === BUILT_IN.started) return undefined;
    const { services } = this.#parts.deps;
    const named = entity.id === MAIN_ENTITY ? null : entity.id;
    if (kept === null) return { profile: '{}', entity: named, connection: null, isRehearsal: true };
    return { profile: services.profileHere(kept.profile), entity: named, connection: id, isRehearsal };
  }

  #started(entities: readonly Entity[]): PageConnection[] {
    const { services } = this.#parts.deps;
    const entity = entities.find(({ id }) => id === MAIN_ENTITY);
    if (services.started === null || entity === undefined) return [];
    const service = hostOf(services.started.service);
    const { rehearsal: isRehearsal } = this.#parts.options;
    return [{ id: BUILT_IN.started, entity, name: service, service, isRehearsal, kept: null }];
  }

  #rehearsals(entities: readonly Entity[]): PageConnection[] {
    if (!this.#parts.deps.services.hasRehearsal) return [];
    const isRehearsal = this.#parts.deps.services.started === null ? this.#parts.options.rehearsal : true;
    const ofAll = { name: t`Rehearsal`, service: t`inside payrun`, isRehearsal, kept: null };
    return entities.map((entity) => ({ id: rehearsalOf(entity.id), entity, ...ofAll }));
  }
}

/** The same, among these. */
export function countedIn(usable: readonly PageConnection[]): readonly PageConnection[] {
  const others = usable.filter(({ id }) => !isBuiltInRehearsal(id));
  return others.length > 0 ? others : usable;
}

function madeOf(kept: KeptConnection, entities: readonly Entity[]): PageConnection {
  const { id, entityId, name, isRehearsal } = kept;
  const entity = entities.find((one) => one.id === entityId) ?? { id: entityId, name: entityId, createdAt: 0 };
  return { id, entity, name, service: hostOf(shownProfileOf(kept.profile).base_url), isRehearsal, kept };
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
