/** A change to one file of `src` that breaks the protocol. Each `search` stands in it exactly once. */
export type Mutation = { file: string; search: string; replacement: string };

/** What somebody could believe to be an improvement. The simulation has to catch each. */
export const MUTANTS: Readonly<Record<string, readonly Mutation[]>> = {
  'retry on timeout': [
    {
      file: 'client/classify.ts',
      search: "return { kind: 'in_doubt', reason: { code: 'answer_lost'",
      replacement: "return { kind: 'no_effect', retryAfterMs: null, unreached: true, reason: { code: 'no_connection'",
    },
  ],
  'intent after send': [
    {
      file: 'client/client.ts',
      search: 'await makeDurable(request);',
      replacement: 'const durable = makeDurable(request);',
    },
    {
      file: 'client/client.ts',
      search: 'return (await exchange.transmit(request, turn, bornMs, isOurs)).outcome;\n    };',
      replacement:
        'const { outcome } = await exchange.transmit(request, turn, bornMs, isOurs);\n      await durable;\n      return outcome;\n    };',
    },
  ],
  'the first list believed': [
    // The first list that does not show it is believed, at once, whatever the service's clock says.
    { file: 'runner/reconcile/doubt.ts', search: 'if (leftMs() < 0) break;', replacement: 'break;' },
    {
      file: 'runner/reconcile/doubt.ts',
      search: '++lists >= LISTS_FOR_ABSENCE',
      replacement: '++lists >= 1',
    },
    {
      file: 'runner/reconcile/deadlines.ts',
      search: 'return serverMs > fromMs;',
      replacement: 'return serverMs >= 0 * fromMs;',
    },
  ],
  'epoch not checked': [
    {
      file: 'journal/tables/leases.ts',
      search: 'if (standing.epoch === lease.epoch && standing.id === lease.id && standing.holder === holder) return;',
      replacement: 'if (standing.epoch >= lease.epoch || standing.holder === holder) return;',
    },
    // A deposed process goes on after what the new holder wrote.
    {
      file: 'journal/tables/commit.ts',
      search: 'const head = yield* addEntries(store, commit);',
      replacement:
        'const found = yield* store.runs.find(commit.runId);\n  const head = yield* addEntries(store, { ...commit, head: found?.head ?? commit.head });',
    },
    // Which what is stored of who was paid would notice.
    {
      file: 'journal/tables/projections.ts',
      search: 'assert(projection.n === head.n,',
      replacement: 'assert(projection.n <= head.n,',
    },
  ],
  'token without amount': [
    { file: 'runner/reconcile/transactions.ts', search: ' && isAmountOf(record, intent);', replacement: ';' },
  ],
  'a 429 for every copy': [
    {
      file: 'runner/outcome.ts',
      search: 'if (answered) return recordRefused(',
      replacement: 'if (false) return recordRefused(',
    },
    {
      file: 'runner/reconcile/last-look.ts',
      search: 'if (context.payout(row).attempts === 0) return false;',
      replacement: 'if (row > 0) return false;',
    },
  ],
  'ceiling of a payout not kept': [
    {
      file: 'runner/ceilings.ts',
      search: 'if (minor > most) {',
      replacement: 'if (minor < 0n) {',
    },
  ],
  'ceiling of a run not counted': [{ file: 'runner/ceilings.ts', search: 'this.#add(amount);', replacement: '' }],
  'what is sent looked for in place of what is received': [
    {
      file: 'runner/reconcile/unknown-payments.ts',
      search: 'const [received, sent] = [record.currency_in, record.currency_out];',
      replacement: 'const [received, sent] = [record.currency_out, record.currency_out];',
    },
  ],
  'where it went not looked at': [
    {
      file: 'runner/reconcile/transactions.ts',
      search: 'return account ? account !== accountId : null;',
      replacement: 'return account ? false : null;',
    },
  ],
  'the id of another row accepted': [
    {
      file: 'runner/outcome.ts',
      search: 'if (context.owners.has(data))',
      replacement: 'if (row < 0)',
    },
  ],
  'REPLAYED ignored': [
    {
      file: 'runner/reconcile/reconcile.ts',
      search: '(isLonger ? REPLAYED_LAGS : 1)',
      replacement: '(isLonger ? 1 : 1)',
    },
    {
      file: 'runner/reconcile/reconcile.ts',
      search: 'if (replayed !== null && promisesOf(run).listing_lag_ms === null)',
      replacement: 'if (replayed !== null && run === null)',
    },
  ],
  'absence before the canary': [
    { file: 'runner/reconcile/reconcile.ts', search: 'if (run.canary === null)', replacement: 'if (run === null)' },
  ],
  'lag believed': [
    {
      file: 'runner/reconcile/deadlines.ts',
      search: 'if (statedMs === null) return Math.max(UNSTATED_LAG_MS, Math.min(SEEN_TIMES * seenMs, SEEN_MAX_MS));',
      replacement: 'if (statedMs === null || seenMs >= 0) return statedMs ?? 0;',
    },
  ],
  'last look left out': [
    { file: 'runner/run.ts', search: 'requireSight(context, await lastLook(context));', replacement: '' },
  ],
  'tokens not counted': [
    {
      file: 'runner/reconcile/evidence.ts',
      search: 'secondOf(context, tokens, record) ?? (await deadOf(context, record))',
      replacement: 'null',
    },
  ],
  'a refusal believed of every copy': [
    {
      file: 'runner/outcome.ts',
      search: 'return spent === true || promisesOf',
      replacement: 'return true || promisesOf',
    },
  ],
  'old copy not noticed': [{ file: 'runner/run.ts', search: 'await lookForSuspects(context);', replacement: '' }],
};
