/** What a service promises less, or a time that it states now, in ms. */
export type PromiseLess =
  | { code: 'may_make_late' | 'may_make_twice' | 'may_make_after_deadline' | 'refusals_not_final' | 'list_cut_off' }
  | { code: 'commits_within' | 'listing_lag'; ms: number };

/** What became of the promises of a profile that is given to a run which began with others. */
export type PromisesKept =
  /** It promises more than was stated before: the run keeps its weaker guarantees. */
  | { kept: 'before' }
  | { kept: 'stated'; stated: readonly Extract<PromiseLess, { ms: number }>[] }
  | { kept: 'less'; less: readonly PromiseLess[] };
