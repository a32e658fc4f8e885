import type { RunCreated } from '../../domain/entry.ts';
import { entityOfRun } from '../../domain/run/entity.ts';
import type { Grant, Role } from './grants.ts';
import type { OneMode, Person } from './people.ts';

/** Everything; only counts, states and totals of many payouts; or not even that it is there. */
export type Sees = 'all' | 'counts' | 'nothing';

/** What somebody sees of a payment, a file or a job, and the roles that they have there. */
export type Sight = { sees: Sees; roles: readonly Role[] };

/** The total of fewer payouts of a currency gives the amount of one away, to who knows or guesses the others. */
export const PAYOUTS_OF_A_TOTAL_MIN = 5;

/** The roles by which somebody sees payments. */
const SEEING: ReadonlySet<Role> = new Set(['preparer', 'approver', 'viewer']);

const NOTHING: Sight = { sees: 'nothing', roles: [] };

/** What decides who may see a payment: its job and entity, and whether it is a rehearsal, if known. */
export type OfRun = Pick<RunCreated, 'job' | 'entity'> & Partial<Pick<RunCreated, 'rehearsal'>>;

type OfUpload = OfRun & { personId: string };

/** What one person sees, by their grants: who decides about a payment, a file or a job asks here, and nowhere else. */
export class PersonSight {
  readonly #id: string;
  readonly #grants: readonly Grant[];
  readonly #mode: OneMode | undefined;

  constructor({ id, grants, mode }: Pick<Person, 'id' | 'grants' | 'mode'>) {
    this.#id = id;
    this.#grants = grants;
    this.#mode = mode;
  }

  /** Of a plan or a run, by its header, or of what a job pays; nothing where that is not known. */
  ofRun(header: OfRun | null): Sight {
    if (header === null || this.#isOfOtherMode(header)) return NOTHING;
    const entity = entityOfRun(header);
    const { job } = header;
    const here = this.#grants.filter((grant) => (grant.entity ?? entity) === entity && (grant.job ?? job) === job);
    const roles = [...new Set(here.map(({ role }) => role))];
    const seeing = here.filter(({ role }) => SEEING.has(role));
    if (seeing.length === 0) return { sees: 'nothing', roles };
    return { sees: seeing.some(({ details }) => details) ? 'all' : 'counts', roles };
  }

  #isOfOtherMode({ rehearsal }: OfRun): boolean {
    return this.#mode !== undefined && rehearsal !== undefined && rehearsal !== (this.#mode === 'test');
  }

  /** Whether they see anything of what a job pays. One that names no entity is there for each of them. */
  seesJob({ name, entity }: { name: string; entity?: string }): boolean {
    return this.#grants.some(
      (grant) =>
        SEEING.has(grant.role) &&
        (entity === undefined || (grant.entity ?? entity) === entity) &&
        (grant.job ?? name) === name,
    );
  }

  /**
   * Of an uploaded file. A file has names and amounts in it, so there is all to see or nothing: for the preparer who uploaded
   * it, and for who may approve the plan that is made of it.
   */
  ofUpload({ personId, ...place }: OfUpload): Sight {
    const { sees, roles } = this.ofRun(place);
    const isOwn = personId === this.#id && roles.includes('preparer');
    if (sees !== 'all' || !(isOwn || roles.includes('approver'))) return NOTHING;
    return { sees, roles: isOwn ? roles : roles.filter((role) => role !== 'preparer') };
  }

  /** Whether they see names and amounts of everything, so that what is nobody's in particular gives nothing away. */
  get seesEverything(): boolean {
    const isEverything = ({ role, entity, job, details }: Grant) =>
      SEEING.has(role) && entity === null && job === null && details;
    return this.#mode === undefined && this.#grants.some(isEverything);
  }

  /** Whether they see names and amounts of everything that an entity pays, so that its balances tell them nothing more. */
  seesAllOf(entity: string): boolean {
    return this.#grants.some(
      (grant) => SEEING.has(grant.role) && (grant.entity ?? entity) === entity && grant.job === null && grant.details,
    );
  }

  /** Whether they are an administrator from whom nothing is hidden, and so see all that was done. */
  get seesAllActivity(): boolean {
    return this.#grants.some(({ role, details }) => role === 'administrator' && details);
  }

  /** Whether they see names and amounts of anything. */
  get seesDetails(): boolean {
    return this.#grants.some(({ role, details }) => SEEING.has(role) && details);
  }
}
