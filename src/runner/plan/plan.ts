import { createHash } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Currency } from '../../domain/currencies.ts';
import type { Entry, RunCreated, RunRow } from '../../domain/entry.ts';
import type { Destination, Payee, PayoutOrder } from '../../domain/payee.ts';
import { PLAN_VERSION, type PlanFacts, type PlannedTotal } from '../../domain/plan.ts';
import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import type { Randomness } from '../../platform/clock.ts';

/** Rows of one journal entry. */
const ROWS_PER_ENTRY = 256;

/** Gathers the rows of an input into journal entries. */
export class RowGatherer {
  payouts = 0;
  readonly #entries: Entry[] = [];
  #chunk: RunRow[] = [];

  add(row: RunRow): void {
    if (row.order !== null) this.payouts++;
    if (this.#chunk.push(row) >= ROWS_PER_ENTRY) this.#flush();
  }

  finish(): Entry[] {
    this.#flush();
    return this.#entries;
  }

  #flush(): void {
    if (this.#chunk.length > 0) this.#entries.push({ kind: 'rows', rows: this.#chunk });
    this.#chunk = [];
  }
}

/** `canonicalJson` of an order, with the keys sorted here and not for each row: a third of the time. */
export function canonicalOrder(order: PayoutOrder): string {
  const { amount_minor, currency, description, destination, payee, recipient_id, reference, row, source } = order;
  return JSON.stringify({
    amount_minor,
    currency: canonicalCurrency(currency),
    description,
    destination: canonicalDestination(destination),
    payee: canonicalPayee(payee),
    recipient_id,
    reference,
    row,
    // Left out where there is none: the digests of plans from before there were conversions stay what they are.
    ...(source === null ? {} : { source: canonicalCurrency(source) }),
  });
}

function canonicalCurrency({ chain, code, decimals }: Currency): Currency {
  return { chain, code, decimals };
}

function canonicalDestination(destination: Destination): object {
  if (destination.kind === 'existing') {
    return { external_account_id: destination.external_account_id, kind: destination.kind };
  }
  const { account_name, fields, kind, rail } = destination;
  const { account_number, account_type, bic, chain, national_clearing_code, wallet_address } = fields;
  const sorted = { account_number, account_type, bic, chain, national_clearing_code, wallet_address };
  return { account_name, fields: sorted, kind, rail };
}

function canonicalPayee({ business, email, name, payee_id, phone }: Payee): object {
  return {
    business: business === null ? null : canonicalBusiness(business),
    email,
    name,
    payee_id,
    phone: phone === null ? null : { country_code: phone.country_code, number: phone.number },
  };
}

function canonicalBusiness({ address, entity_name, registration_number }: NonNullable<Payee['business']>): object {
  if (address === null) return { address, entity_name, registration_number };
  const { city, country, line1, line2, postal_code, state } = address;
  return { address: { city, country, line1, line2, postal_code, state }, entity_name, registration_number };
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** `R20261125-7K3M9QZ2`: the day, then 40 random bits, so that runs sort by day and are easy to type. */
export function newRunId(nowMs: number, randomness: Randomness): string {
  let suffix = '';
  for (const byte of randomness.bytes(8)) suffix += CROCKFORD.charAt(byte & 31);
  return `R${isoUtc(nowMs).slice(0, 10).replaceAll('-', '')}-${suffix}`;
}

/**
 * SHA-256 (hex) of the plan's canonical form (RFC 8785): an object of the members of `facts` and of `rows`, the payable
 * orders in the order of the input. What is not converted and not limited has no member for it. It is hashed as it is
 * made, so that a million rows need no text of their own.
 */
export function planDigest(facts: PlanFacts, rows: Iterable<RunRow>): string {
  const hash = createHash('sha256');
  const { conversions, limits, cooling_off, ...rest } = facts;
  const members: Record<string, unknown> = {
    ...rest,
    ...(conversions && { conversions }),
    ...(limits && { limits }),
    ...(cooling_off.length > 0 && { cooling_off }),
  };
  const names = [...Object.keys(members), 'rows'].sort();
  for (const [at, name] of names.entries()) {
    hash.update(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    if (name === 'rows') hashOrders(hash, rows);
    else hash.update(canonicalJson(members[name]));
  }
  return hash.update('}').digest('hex');
}

/** The members of a plan that are not those of its run. */
type OfPlan = Pick<
  PlanFacts,
  'conversions' | 'payees' | 'warnings' | 'limits' | 'cooling_off' | 'approval' | 'repeat_window_ms' | 'edits'
>;

/** The members of a plan. `payees` is null where the service was not asked for them. */
export function planFacts(header: RunCreated, totals: PlannedTotal[], ofPlan: OfPlan): PlanFacts {
  const { run_id, job, period, scope, rehearsal, input, payouts } = header;
  const ofRun = { run_id, job, period, scope, rehearsal, input_sha256: input.sha256, payouts };
  return { version: PLAN_VERSION, ...ofRun, totals, ...ofPlan };
}

/** The rows of a run, from the entries that hold them. */
export function* rowsOf(entries: Iterable<Entry>): Generator<RunRow> {
  for (const entry of entries) if (entry.kind === 'rows') yield* entry.rows;
}

/** Whether the rows, the plan and the digest of a run belong together: what was approved is what the journal holds. */
export function isPlanWhole(run: RunState): boolean {
  assert(run.header !== null && run.plan !== null, 'a run without a plan');
  return planDigest(run.plan, run.rows) === run.header.digest;
}

/** Characters. Texts that V8 keeps apart for their length, from some 64,000 on, take twice the time. */
const HASHED_AT_ONCE = 16_384;

function hashOrders(hash: ReturnType<typeof createHash>, rows: Iterable<RunRow>): void {
  let text = '[';
  let isFirst = true;
  for (const { order } of rows) {
    if (order === null) continue;
    text += isFirst ? canonicalOrder(order) : `,${canonicalOrder(order)}`;
    isFirst = false;
    if (text.length > HASHED_AT_ONCE) {
      hash.update(text);
      text = '';
    }
  }
  hash.update(`${text}]`);
}
