import { isPreparer } from '../../approval/check.ts';
import type { Withdrawal } from '../../domain/outcomes/approve-outcome.ts';
import type { ApprovalPolicy } from '../../domain/plan.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { ApiTokens } from './api-tokens.ts';
import { AuditLog } from './audit-log.ts';
import { People, type Person } from './people.ts';
import { PersonSight } from './sight.ts';
import type { Inside } from './store/page-store.ts';
import { Views } from './views.ts';

/**
 * What an administrator changed: a reset of sign-in and key by a link that was opened, the passkeys removed, or access
 * given by an invitation or a role.
 */
type AccessKind = 'sign_in' | 'passkeys' | 'access';

/** `by` is null where nobody is known to have done it. */
export type AccessChange = { id: number; personId: string; by: string | null; at: number; kind: AccessKind };

/** Why an approval does not count: the change, and until when where the time ends it. */
export type Hold = { change: AccessChange; until: number | null };

/** Who made a plan. */
type Maker = Pick<ApprovalPolicy, 'preparer' | 'preparer_key'>;

/** The last change by which one account could be another, and whether a reset is among those that lead there. */
type Hand = { change: AccessChange; isByReset: boolean };

/** For how long after a reset nothing that a person approves counts, no matter who made the plan. */
const HOLD_MS = 24 * 60 * 60_000;

/** The people of the page, the tokens of their programs, what they did, and what of it keeps approvals from counting. */
export type PeopleParts = { people: People; views: Views; tokens: ApiTokens; audit: AuditLog; access: Access };

export function peopleIn(inside: Inside): PeopleParts {
  const people = new People(inside);
  const tokens = new ApiTokens(inside);
  const audit = new AuditLog(inside);
  return { people, views: new Views(inside), tokens, audit, access: new Access(inside, { people, tokens, audit }) };
}

/**
 * Which accounts may be in one hand. An administrator who resets how somebody signs in could be that person from then on;
 * so an account is in the hand of each administrator who reset it, or gave it access, until another one has confirmed the
 * change. Two accounts in one hand never make and approve the same plan.
 */
export class Access {
  readonly #inside: Inside;
  readonly #people: People;
  readonly #audit: AuditLog;
  readonly #tokens: ApiTokens;

  constructor(inside: Inside, { people, tokens, audit }: Omit<PeopleParts, 'access' | 'views'>) {
    this.#inside = inside;
    this.#people = people;
    this.#tokens = tokens;
    this.#audit = audit;
  }

  /** A reset, which takes effect now. */
  async reset(personId: string, by: string | null, kind: 'sign_in' | 'passkeys'): Promise<void> {
    await this.#record(personId, by, kind);
  }

  /**
   * Access that an administrator gave. Where somebody else is, or was, an administrator, and so could have confirmed it, it is
   * held against them for every payment; in an office with one administrator nobody else lets people in, and it is for live
   * payments alone. One who has reset somebody answers for everybody they let in until that is confirmed.
   */
  async granted(personId: string, by: string): Promise<void> {
    if (by === personId) return;
    const isAlone = !((await this.#audit.hadAdministratorBeside(by)) || (await this.#hasReset(by)));
    await this.#record(personId, by, 'access', isAlone);
  }

  /** What was not confirmed, oldest first; with what counts for live payments alone. */
  open(personId: string, isLive = false): Promise<AccessChange[]> {
    const sql = `SELECT id, person_id AS "personId", made_by AS "by", at, kind FROM access_change
      WHERE person_id = ? AND confirmed_at IS NULL AND is_alone <= ? ORDER BY id`;
    return this.#inside.store.all<AccessChange>(sql, personId, isLive ? 1 : 0);
  }

  /**
   * Who signs in at a provider under their name is who they say, whoever let them in: nobody on the page decides what the
   * provider says. Resets stay open.
   */
  async knownByProvider(personId: string): Promise<void> {
    const { store, clock } = this.#inside;
    const sql = `UPDATE access_change SET confirmed_at = ?, confirmed_by = person_id
      WHERE person_id = ? AND kind = 'access' AND confirmed_at IS NULL`;
    await store.run(sql, clock.wallMs(), personId);
  }

  /** The resets among them. */
  async openResets(personId: string): Promise<AccessChange[]> {
    return (await this.open(personId)).filter(({ kind }) => kind !== 'access');
  }

  /**
   * Why nothing that the owner of a key approves counts for a plan; null where it does, and for keys of nobody here. `isLive`:
   * where it moves money.
   */
  async onHold(publicKey: string, policy: Maker, isLive = false): Promise<Hold | null> {
    const approver = await this.#people.byPublicKey(publicKey);
    if (approver === null) return null;
    for (const maker of await this.#makersOf(policy)) {
      const change = await this.#link(approver.id, maker, isLive);
      if (change !== null) return { change, until: null };
    }
    return this.recent(approver.id);
  }

  /** The newest reset of the last 24 hours. One in the future counts too: a clock was set back since. */
  async recent(personId: string): Promise<Hold | null> {
    const resets = await this.openResets(personId);
    const change = resets.findLast(({ at }) => this.#inside.clock.wallMs() < at + HOLD_MS);
    return change === undefined ? null : { change, until: change.at + HOLD_MS };
  }

  /** Whether nothing that a person approves counts now (`all`), or nothing of plans by who reset them (`some`). */
  async holdOf(personId: string): Promise<'all' | 'some' | null> {
    if ((await this.recent(personId)) !== null) return 'all';
    return (await this.openResets(personId)).length > 0 ? 'some' : null;
  }

  /** The changes of a person that this administrator may confirm: what an account did that cannot be in their own hand. */
  async confirmable(personId: string, by: string): Promise<AccessChange[]> {
    if (by === personId || (await this.recent(by)) !== null || (await this.#hands(by)).has(personId)) return [];
    const found: AccessChange[] = [];
    for (const change of await this.open(personId, true))
      if (change.by === null || (change.by !== by && (await this.#link(change.by, by)) === null)) found.push(change);
    return found;
  }

  /** Confirms what `by` may confirm, and gives it. */
  async confirm(personId: string, by: string): Promise<AccessChange[]> {
    const { store, clock } = this.#inside;
    const changes = await this.confirmable(personId, by);
    const sql = 'UPDATE access_change SET confirmed_at = ?, confirmed_by = ? WHERE id = ?';
    for (const { id } of changes) await store.run(sql, clock.wallMs(), by, id);
    return changes;
  }

  async #record(personId: string, by: string | null, kind: AccessKind, isAlone = false): Promise<void> {
    const { store, clock } = this.#inside;
    const change = { person_id: personId, made_by: by, at: clock.wallMs(), kind, is_alone: isAlone ? 1 : 0 };
    await store.insert('access_change', change);
  }

  /** Whether this administrator reset somebody, and nobody has confirmed it. */
  async #hasReset(by: string): Promise<boolean> {
    const sql = `SELECT 1 FROM access_change
      WHERE made_by = ? AND person_id <> made_by AND kind <> 'access' AND confirmed_at IS NULL LIMIT 1`;
    return (await this.#inside.store.get(sql, by)) !== undefined;
  }

  /**
   * Why two accounts may be in one hand: one changed the other, or somebody else reset one of them and reset the other or let it
   * in. Null where neither is so: one administrator lets nearly everybody in.
   */
  async #link(one: string, other: string, isLive = false): Promise<AccessChange | null> {
    const [hands, others] = [await this.#hands(one, isLive), await this.#hands(other, isLive)];
    const direct = hands.get(other) ?? others.get(one);
    if (direct !== undefined) return direct.change;
    for (const [hand, { change, isByReset }] of hands)
      if (others.has(hand) && (isByReset || others.get(hand)?.isByReset)) return change;
    return null;
  }

  /** Who could be this person, by any number of steps, each with the change that let them. A way with a reset in it counts. */
  async #hands(personId: string, isLive = false): Promise<Map<string, Hand>> {
    const found = new Map<string, Hand>();
    const left = [{ id: personId, isByReset: false }];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      for (const change of await this.open(next.id, isLive)) {
        const { by } = change;
        const isByReset = next.isByReset || change.kind !== 'access';
        const known = by === null ? undefined : found.get(by);
        if (by === null || by === personId || (known !== undefined && (known.isByReset || !isByReset))) continue;
        found.set(by, { change, isByReset });
        left.push({ id: by, isByReset });
      }
    }
    return found;
  }

  /** The accounts that a plan names as its maker: by key, also one that they have no more, and by name. */
  async #makersOf(policy: Maker): Promise<Set<string>> {
    const isMaker = ({ name, publicKey }: Person) => isPreparer(policy, { name, public_key: publicKey ?? '' });
    const makers = new Set((await this.#people.list()).flatMap((person) => (isMaker(person) ? [person.id] : [])));
    const key = policy.preparer_key;
    const owner =
      key === undefined
        ? null
        : ((await this.#audit.ownerOf(key)) ?? (await this.#tokens.byPublicKey(key))?.personId ?? null);
    return owner === null ? makers : makers.add(owner);
  }
}

/** Who set the time at which a plan starts, by its key; `command` where it was set on the command line. */
export async function setterOf(
  { people, tokens, audit }: PeopleParts,
  publicKey: string,
): Promise<Person | 'command' | null> {
  const person = await people.byPublicKey(publicKey);
  if (person !== null) return person;
  const token = await tokens.byPublicKey(publicKey);
  if (token !== null) return token.revokedAt === null ? people.get(token.personId) : null;
  return (await audit.ownerOf(publicKey)) === null ? 'command' : null;
}

/**
 * Why what a person of the page has signed does not count any more, by the page's people as they are now, for a plan whose
 * policy names them. Null for keys that never were of one of them: those are for the plan's policy alone.
 */
export async function withdrawnBy(
  { people, tokens, audit, access }: PeopleParts,
  publicKey: string,
  { header, policy }: { header: RunState['header']; policy: Maker },
): Promise<{ why: Withdrawal; hold: Hold | null } | null> {
  const person = await people.byPublicKey(publicKey);
  if (person === null) {
    // The key of a token is nobody's: what it signs is never an approval.
    const owner = (await audit.ownerOf(publicKey)) ?? (await tokens.byPublicKey(publicKey))?.personId ?? null;
    return owner === null ? null : { why: 'another_key', hold: null };
  }
  if (person.lockedAt !== null) return { why: 'locked_out', hold: null };
  const { sees, roles } = new PersonSight(person).ofRun(header);
  if (!roles.includes('approver')) return { why: 'no_approver', hold: null };
  if (sees !== 'all') return { why: 'sees_no_details', hold: null };
  const hold = await access.onHold(publicKey, policy, header?.rehearsal === false);
  return hold === null ? null : { why: 'access_changed', hold };
}
