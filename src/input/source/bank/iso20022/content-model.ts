import type { ContentModel } from './pain001-model.ts';
import { type TextRule, textRule } from './text-rules.ts';

/** One element that a type has, and how often. */
type Member = { name: string; type: string; isRequired: boolean; max: number; at: number };

type ElementType = {
  members: readonly Member[];
  byName: ReadonlyMap<string, Member>;
  isChoice: boolean;
  lastRequired: number;
};

/** What `*` allows: nobody repeats elements of a payment as often. */
const SEVERAL_MAX = 1_000;

/** The element under which payments are, and whose paths begin anew. */
const PAYMENT = 'CdtTrfTxInf';

/** An element at its place in the message. */
export class ElementNode {
  readonly name: string;
  /** Of names: from the payment on where it is in one, else from the message on. Empty for the payment itself. */
  readonly path: string;
  readonly isInPayment: boolean;
  readonly isPayment: boolean;
  /** Of a text; null for an element of elements. */
  readonly rule: TextRule | null;
  /** Whether what is in it is read for nothing. */
  readonly isAny: boolean;
  readonly isAmount: boolean;
  readonly #parent: ElementNode | null;
  readonly #type: ElementType | null;
  readonly #types: Types;
  readonly #children = new Map<string, ElementNode>();

  constructor(name: string, type: string, parent: ElementNode | null, types: Types) {
    this.name = name;
    this.isPayment = name === PAYMENT;
    this.isInPayment = this.isPayment || parent?.isInPayment === true;
    const above = parent === null || parent.isRoot ? '' : parent.path;
    this.path = this.isPayment ? '' : above === '' ? name : `${above}/${name}`;
    this.rule = textRule(type);
    this.isAny = type === 'any';
    this.isAmount = type === 'amount';
    this.#types = types;
    this.#type = this.rule !== null || this.isAny ? null : types.of(type);
    this.#parent = parent;
  }

  /** The document and the message in it, which paths leave out. */
  get isRoot(): boolean {
    return this.#parent === null || this.#parent.#parent === null;
  }

  member(name: string): Member | null {
    return this.#type?.byName.get(name) ?? null;
  }

  child({ name, type }: Member): ElementNode {
    const known = this.#children.get(name);
    if (known !== undefined) return known;
    const child = new ElementNode(name, type, this, this.#types);
    this.#children.set(name, child);
    return child;
  }

  /** The required elements between two places of the order, both left out. Of a choice, one. */
  missing(after: number, before: number): readonly string[] {
    const { members, isChoice, lastRequired } = this.#type ?? NO_TYPE;
    if (before - after <= 1 || (!isChoice && after >= lastRequired)) return NONE_MISSING;
    if (isChoice) return after === -1 && before === Number.POSITIVE_INFINITY ? [namesOf(members)] : [];
    return members.filter(({ at, isRequired }) => isRequired && at > after && at < before).map(({ name }) => name);
  }

  /** Whether an element may follow one at a place of the order, of which there were `count`. */
  mayFollow({ at, max }: Member, last: number, count: number): boolean {
    if (at === last) return count < max;
    return at > last && !(last !== -1 && this.#type?.isChoice === true);
  }
}

const NO_TYPE: ElementType = { members: [], byName: new Map(), isChoice: false, lastRequired: -1 };

const NONE_MISSING: readonly string[] = [];

function namesOf(members: readonly Member[]): string {
  return members.map(({ name }) => name).join(' or ');
}

class Types {
  readonly #model: ContentModel;
  readonly #known = new Map<string, ElementType>();

  constructor(model: ContentModel) {
    this.#model = model;
  }

  of(type: string): ElementType {
    const known = this.#known.get(type) ?? elementType(this.#model[type] ?? '');
    this.#known.set(type, known);
    return known;
  }
}

function elementType(text: string): ElementType {
  const isChoice = text.startsWith('|');
  const members = text
    .replace('|', '')
    .split(/\s+/)
    .filter((member) => member !== '')
    .map((member, at): Member => {
      const [, name = '', often = '', most, type = ''] = /^(\w+)([?*+]|\{0,(\d+)\})?:(\w+)$/.exec(member) ?? [];
      const isRequired = often === '' || often === '+';
      const max = often === '+' ? Number.POSITIVE_INFINITY : often === '*' ? SEVERAL_MAX : Number(most ?? 1);
      return { name, type, isRequired: isRequired && !isChoice, max, at };
    });
  const lastRequired = members.findLastIndex(({ isRequired }) => isRequired);
  return { members, byName: new Map(members.map((member) => [member.name, member])), isChoice, lastRequired };
}

/** The outermost element of a message. */
export function documentOf(model: ContentModel): ElementNode {
  return new ElementNode('Document', 'Document', null, new Types(model));
}
