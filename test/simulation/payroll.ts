import type { RunRow } from '../../src/domain/entry.ts';
import type { Destination, Payee, PayoutOrder } from '../../src/domain/payee.ts';
import { fingerprint } from '../../src/domain/rails/fields/digits.ts';
import { NO_FIELDS, type RailFields, type RailName } from '../../src/domain/rails/rail.ts';
import { railOf } from '../../src/domain/rails/registry.ts';
import type { Random } from './random.ts';

type Account = { rail: RailName; account_name: string; fields: RailFields };

/** A payee as the service knows it before the run begins. */
export type KnownPayee = { name: string; email: string | null; accounts: Account[] };

/** What the payroll says of a row, for judging: where its money may go, and how much. */
export type Ordered = {
  order: PayoutOrder;
  /** Of the account that may be paid; null where the row names one of the service's records. */
  fingerprint: string | null;
};

export type Payroll = {
  /** Made at the service before the run. */
  known: KnownPayee[];
  /** The rows, once the service has given ids to what is known: `accountId(payee, account)`, `recipientId(payee)`. */
  rows(ids: { recipientId(payee: number): string; accountId(payee: number, account: number): string }): RunRow[];
};

type Person = { name: string; email: string | null; payee_id: string | null; accounts: Account[] };

const ROWS_MAX = 12;
const ENDINGS = ['REHEARSE_CLOSED', 'REHEARSE_KYB', 'REHEARSE_RETURN'];
const NAMES = ['Ada Lovelace', 'Grace Hopper', 'Zoë Müller', 'Mei Tran', 'Noah Jensen', 'Ana Sánchez', 'Priya Iyer'];

/** A few rows of several kinds: known and unknown payees, namesakes, equal rows, records that are named, wallets. */
export function drawPayroll(random: Random): Payroll {
  const count = random.weighted([
    [random.whole(2, 4), 4],
    [random.whole(5, 8), 3],
    [random.whole(9, ROWS_MAX), 2],
  ]);
  const people: Person[] = [];
  const known: KnownPayee[] = [];
  /** Which of `known` a person is. */
  const records = new Map<Person, number>();
  const amounts = [random.whole(1, 9_999), random.whole(1, 9_999), 5_000];
  type Draft = {
    person: Person;
    account: number;
    amount: number;
    kind: 'plain' | 'recipient' | 'existing' | 'unknown' | 'problem';
  };
  const drafts: Draft[] = [];

  for (let at = 0; at < count; at++) {
    const earlier = drafts.length > 0 && random.chance(0.35) ? random.pick(drafts) : null;
    if (earlier && random.chance(0.4)) {
      // The same account and the same amount again: an honest payroll can have that.
      drafts.push({ ...earlier });
      continue;
    }
    const person = earlier?.person ?? newPerson(random, people);
    if (earlier && random.chance(0.5)) person.accounts.push(newAccount(random, person.name));
    const isKnown = records.has(person);
    if (!isKnown && random.chance(0.3)) {
      records.set(person, known.length);
      const accounts = random.chance(0.6) ? person.accounts.slice(0, 1) : [];
      known.push({ name: person.name, email: person.email, accounts });
    }
    const record = records.get(person);
    const kinds: (readonly [Draft['kind'], number])[] = [
      ['plain', 10],
      ['unknown', 0.4],
      ['problem', 0.6],
    ];
    if (record !== undefined) kinds.push(['recipient', 3]);
    if (record !== undefined && (known[record]?.accounts.length ?? 0) > 0) kinds.push(['existing', 5]);
    drafts.push({
      person,
      account: random.whole(0, person.accounts.length - 1),
      amount: random.pick(amounts),
      kind: random.weighted(kinds),
    });
  }
  // Somebody else of the same name, whom the service knows: names alone do not tell people apart.
  if (random.chance(0.3)) {
    const { name } = random.pick(people);
    known.push({ name, email: null, accounts: [newAccount(random, name)] });
  }

  return {
    known,
    rows: ({ recipientId, accountId }) =>
      drafts.map(({ person, account, amount, kind }, at): RunRow => {
        const row = at + 2;
        const cells = [person.name, String(amount)];
        if (kind === 'problem') {
          return { row, cells, order: null, problem: { code: 'amount_zero', message: 'the amount is zero' } };
        }
        const place = person.accounts[kind === 'existing' ? 0 : account] as Account;
        const record = records.get(person) ?? 0;
        const destination: Destination =
          kind === 'existing'
            ? { kind: 'existing', external_account_id: accountId(record, 0) }
            : { kind: 'account', ...place };
        const recipient_id = kind === 'recipient' ? recipientId(record) : kind === 'unknown' ? 'rcp_nobody' : null;
        const payee: Payee = {
          payee_id: person.payee_id,
          name: person.name,
          email: person.email,
          phone: null,
          business: null,
        };
        const order: PayoutOrder = {
          row,
          payee,
          recipient_id,
          destination,
          amount_minor: String(amount),
          currency: currencyOf(place),
          source: null,
          reference: null,
          description: at % 3 === 0 ? 'Pay of November' : null,
        };
        return { row, cells, order, problem: null };
      }),
  };
}

/** What may be paid for each payable row. */
export function orderedOf(rows: readonly RunRow[]): Map<number, Ordered> {
  const ordered = new Map<number, Ordered>();
  for (const { row, order } of rows) {
    if (order === null) continue;
    const { destination } = order;
    const print = destination.kind === 'existing' ? null : fingerprint(destination.rail, destination.fields);
    ordered.set(row, { order, fingerprint: print });
  }
  return ordered;
}

function newPerson(random: Random, people: Person[]): Person {
  const isEnding = random.chance(0.08);
  const namesake = people.length > 0 && random.chance(0.15) ? random.pick(people) : null;
  const name = namesake?.name ?? (isEnding ? random.pick(ENDINGS) : `${random.pick(NAMES)} ${people.length + 1}`);
  const email = namesake || random.chance(0.5) ? null : `payee${people.length + 1}@example.com`;
  const payee_id = random.chance(0.3) ? `P-${people.length + 1}` : null;
  const person = { name, email, payee_id, accounts: [newAccount(random, name)] };
  people.push(person);
  return person;
}

function newAccount(random: Random, account_name: string): Account {
  const digits = (count: number): string => Array.from({ length: count }, () => random.whole(1, 9)).join('');
  const rail = random.weighted<RailName>([
    ['GBP_FPS', 6],
    ['USD_ACH', 3],
    ['WEB3', 2],
    ['AUD_NPP', 1],
  ]);
  const fields = fieldsOf(rail, digits);
  const checked = railOf(rail);
  const normal = checked.normalise({ ...NO_FIELDS, ...fields });
  const wrong = checked.check(normal).find(({ severity }) => severity === 'error');
  if (wrong) throw new Error(`the simulation made a wrong account: ${wrong.code}`);
  return { rail, account_name, fields: normal };
}

function fieldsOf(rail: RailName, digits: (count: number) => string): Partial<RailFields> {
  switch (rail) {
    case 'GBP_FPS':
      return { account_number: digits(8), national_clearing_code: '60-16-13' };
    case 'USD_ACH':
      return { account_number: digits(12), national_clearing_code: '021000021', account_type: 'checking' };
    case 'AUD_NPP':
      return { account_number: digits(8), national_clearing_code: '062-000' };
    default:
      return { wallet_address: `0x${digits(40)}`, chain: 'polygon' };
  }
}

function currencyOf({ rail }: Account) {
  if (rail === 'WEB3') return { code: 'USDC', chain: 'polygon', decimals: 6 };
  return { code: rail.slice(0, 3), chain: null, decimals: 2 };
}
