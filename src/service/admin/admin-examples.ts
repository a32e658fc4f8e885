/** What an operation of the admin port does, in a few words, and one body that it takes. */
export type AdminExample = { does: string; body: Record<string, unknown> };

/** One for each operation, in the order in which they are shown. */
export const ADMIN_EXAMPLES: Readonly<Record<string, AdminExample>> = {
  state: { does: 'clock, keys, transactions by status, counts', body: {} },
  stats: { does: 'requests that arrived, by operation', body: {} },
  verify: { does: 'what is wrong with the books; an empty list is right', body: {} },
  'clock.advance': { does: 'a day passes; what is due by then happens', body: { ms: 86_400_000 } },
  'clock.set': { does: 'only forward', body: { unix_ms: 1_798_761_600_000 } },
  'clock.freeze': { does: 'it stands still, also after a restart; nothing settles by itself', body: {} },
  'clock.resume': { does: 'it goes on from where it stood', body: {} },
  'clock.skew': { does: 'the other clock: by which requests live and die', body: { ms: 90_000 } },
  'balance.set': { does: '50.00 can be spent; chain for crypto', body: { code: 'GBP', value: '5000' } },
  'price.set': {
    does: 'what one is worth in US dollars; chain for one chain only',
    body: { code: 'ETH', usd: '3125.50' },
  },
  'price.walk': {
    does: 'prices walk at random, the same walk for the same seed; bps 0 stops it',
    body: { seed: 7, bps: 5 },
  },
  'price.list': { does: 'every price now, and the one about which it walks', body: {} },
  'transaction.settle': { does: 'ends a pending transaction now', body: { id: 'txn_01jd2x3v9qk7m5p0h8rc' } },
  'transaction.fail': { does: 'ends it FAILED', body: { id: 'txn_01jd2x3v9qk7m5p0h8rc', reason: 'ACCOUNT_CLOSED' } },
  'transaction.return': {
    does: 'a completed payout comes back as a deposit',
    body: { id: 'txn_01jd2x3v9qk7m5p0h8rc' },
  },
  'fault.add': {
    does: 'the third transfer from now on takes effect, and its answer is lost',
    body: { operation: 'transaction.transfer', kind: 'drop-after-commit', nth: 3 },
  },
  'fault.list': { does: 'with how often each was met', body: {} },
  'fault.remove': { does: 'by its id', body: { id: 'fault_1' } },
  'webhook.add': {
    does: 'sends every change of a status there; secret for v1 too',
    body: { url: 'https://example.com/hook', secret: true },
  },
  'webhook.list': { does: 'endpoints, and the public key of their signatures', body: {} },
  'webhook.remove': { does: 'sends nothing more there', body: { id: 'whe_01jd2x3v9qk7m5p0h8rc' } },
  'webhook.enable': { does: 'switches one on that was switched off', body: { id: 'whe_01jd2x3v9qk7m5p0h8rc' } },
  'webhook.deliveries': { does: 'the newest, with what became of each', body: { limit: 20 } },
  'webhook.replay': { does: 'sends again: event_id, transaction_id or all_failed', body: { all_failed: true } },
  'webhook.duplicate': { does: 'the nth delivery from now on goes out twice', body: { nth: 1 } },
  'webhook.drop': { does: 'the nth is lost; or each by a probability', body: { probability: 0.2 } },
  'webhook.reorder': { does: 'the next ones, this many, go out in reverse', body: { count: 3 } },
  'webhook.clear': { does: 'no more of these three', body: {} },
  'state.snapshot': { does: 'keeps everything that is stored, under a name', body: { name: 'before-payday' } },
  'state.restore': { does: 'puts it back, while requests go on', body: { name: 'before-payday' } },
  'state.snapshots': { does: 'those that are there', body: {} },
  'state.forget': { does: 'removes one', body: { name: 'before-payday' } },
  'key.add': {
    does: 'a public key, in hex or base64url; at most two are active, for rotating',
    body: { public_key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a' },
  },
  'key.revoke': { does: 'by its id', body: { id: 'key_01jd2x3v9qk7m5p0h8rc' } },
};
