/** Something that a person does on the page to a run, as the audit log calls it; to one row of it where that is named. */
export type PageAct = { runId: string | null; act: string; row?: number };

/** Whether a person of this name did one of these on the page. */
export type PageProof = (person: string, acts: readonly PageAct[]) => boolean;
