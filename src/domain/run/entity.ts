/** The company that pays where none is named: on a page it is there from the start. */
export const MAIN_ENTITY = 'main';

/** What an entity or a connection is known by: it stands in jobs, commands, addresses and journals. */
export const PAYER_ID = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** The entity that pays, and the job; null without a job. */
export type Payer = { entity?: string | undefined; job: string | null };

/** Whether everybody who sees what this payer pays sees that run too: roles are for an entity, and for one job of it or all. */
export function isSeenWith({ entity, job }: Payer, run: Payer): boolean {
  return entityOfRun(run) === entityOfRun({ entity }) && (job === null || run.job === job);
}

/** The entity that a run belongs to, by its own record alone: whatever changes elsewhere later, this stays. */
export function entityOfRun({ entity }: { entity?: string | undefined }): string {
  return entity ?? MAIN_ENTITY;
}
