import { type BankPlace, type Fault, fault } from '../../../../domain/problem.ts';
import type { WantedText } from '../../../../domain/problems/bank-file-problems.ts';

/** What a field may hold: digits with blanks in front, any text, blanks, or one of a few texts. */
type FieldKind = 'digits' | 'text' | 'blanks' | readonly string[];

/** A field: its positions from 1, what it may hold, and the column of ours that it feeds. */
export type FieldSpec = readonly [from: number, to: number, kind: FieldKind, column?: string];

/** The fields of a record, by name. */
export type RecordLayout<Field extends string = string> = {
  /** What people call the record. */
  name: string;
  fields: Readonly<Record<Field, FieldSpec>>;
  /** The record may end here, where editors remove blanks. */
  least: number;
};

/** Something wrong with one field. */
export type FieldFault = { what: Fault; place: BankPlace; value: string };

/** One record of a file. Its number is that of its line. */
export class FixedRecord<Field extends string = string> {
  readonly number: number;
  readonly #text: string;
  readonly #layout: RecordLayout<Field>;

  constructor(number: number, text: string, layout: RecordLayout<Field>) {
    this.number = number;
    this.#text = text;
    this.#layout = layout;
  }

  /** The field without blanks around it. */
  text(field: Field): string {
    return this.raw(field).trim();
  }

  raw(field: Field): string {
    const [from, to] = this.#layout.fields[field];
    return this.#text.slice(from - 1, to);
  }

  /** A field of digits, as a number; 0 where it holds something else, which `faults` has. */
  figure(field: Field): bigint {
    const text = this.text(field);
    return /^\d+$/.test(text) ? BigInt(text) : 0n;
  }

  place(field: Field | null): BankPlace {
    const positions = field === null ? null : positionsOf(this.#layout.fields[field]);
    return { in: 'record', record: this.number, positions };
  }

  /** The fields that hold what they may not. */
  faults(): FieldFault[] {
    const found: FieldFault[] = [];
    for (const field of Object.keys(this.#layout.fields) as Field[]) {
      const wanted = wantedIn(this.#layout.fields[field][2], this.raw(field));
      if (wanted === null) continue;
      found.push({
        what: fault('field_invalid', { field, wanted }),
        place: this.place(field),
        value: this.text(field),
      });
    }
    return found;
  }
}

function wantedIn(kind: FieldKind, raw: string): WantedText | null {
  if (kind === 'text') return null;
  if (kind === 'digits') return /^ *\d+$/.test(raw) ? null : { form: 'digits' };
  if (kind === 'blanks') return raw.trim() === '' ? null : { form: 'blanks' };
  return kind.includes(raw.trim()) ? null : { form: 'one_of', of: kind };
}

function positionsOf([from, to]: FieldSpec): readonly [number, number] {
  return [from, to];
}

/** The positions of the fields that feed columns, in the order of `header`; null for a column that no field feeds alone. */
export function positionsByColumn(
  { fields }: RecordLayout,
  header: readonly string[],
): readonly (readonly [number, number] | null)[] {
  const specs = Object.values(fields);
  return header.map((column) => {
    const spec = specs.find(([, , , feeds]) => feeds === column);
    return spec === undefined ? null : positionsOf(spec);
  });
}
