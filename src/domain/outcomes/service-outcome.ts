/** Why the service that answers is not the one at which a run began, or is not shown to be. */
export type AnotherService =
  | { outcome: 'another_service'; why: 'rehearsal_differs'; wasRehearsal: boolean }
  | { outcome: 'another_service'; why: 'unknown_transaction'; transactionId: string }
  | { outcome: 'another_service'; why: 'nothing_shows_it' };

/** What a service promises less, or a time that it states now, in ms. */
export type PromiseLess =
  | { code: 'may_make_late' | 'may_make_twice' | 'may_make_after_deadline' | 'refusals_not_final' | 'list_cut_off' }
  | { code: 'commits_within' | 'listing_lag'; ms: number };

/** What became of the promises of a profile that is given to a run which began with others. */
export type PromisesKept =
  /** It promises more than the run was told before: the run keeps its weaker guarantees. */
  | { kept: 'before' }
  | { kept: 'stated'; stated: readonly Extract<PromiseLess, { ms: number }>[] }
  | { kept: 'less'; less: readonly PromiseLess[] };
