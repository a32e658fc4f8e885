import { strangeIn } from '../../../domain/strange-characters.ts';
import { cellName } from '../../../platform/xlsx/cell-names.ts';
import type { Header } from '../../header/columns.ts';
import type { Table } from '../../source/table.ts';
import type { RowFacts } from '../cell-facts.ts';
import { amountShape, amountTextOf, type Contradiction, type DecimalConvention, needsConvention } from './amount.ts';

/** Gathers what the amounts of a column prove. */
export class ConventionProof {
  #point = false;
  #comma = false;
  /** Whether any amount is grouped by blanks or apostrophes. */
  #spaced = false;
  /** The separators of amounts such as `1,234`, which prove nothing. */
  readonly #undecided = new Set<string>();
  /** Each amount that adds to what those before it prove. */
  readonly #witnesses: { row: number; text: string }[] = [];

  /** A trimmed amount of the column and its row; what is no number proves nothing. */
  add(text: string, row = 0): void {
    const before = this.#seen;
    this.#addShape(text);
    if (this.#seen !== before) this.#witnesses.push({ row, text });
  }

  /** The first amounts that do not go together. */
  contradictionIn({ index }: Header): Contradiction {
    return this.#witnesses.map(({ row, text }) => ({ cell: cellName(index.amount, row), text }));
  }

  /** How much is known: it changes with each amount that adds to it. */
  get #seen(): number {
    return Number(this.#point) + Number(this.#comma) + Number(this.#spaced) + this.#undecided.size;
  }

  #addShape(text: string): void {
    let shape = amountShape(text);
    if (shape === 'plain') return;
    if (shape === 'none') {
      const amount = amountTextOf(text);
      if (amount === null) return;
      shape = amount.shape;
      if (amount.isSpaced) this.#spaced = true;
    }
    if (shape === 'decimal_point' || shape === 'grouped_point') this.#point = true;
    else if (shape === 'comma') this.#comma = true;
    else if (shape === 'either') this.#undecided.add(text.includes(',') ? ',' : '.');
  }

  /**
   * Where blanks or apostrophes group the digits of the column, the other separator of `1,234` is no grouping either:
   * such an amount does not go together with the rest.
   */
  get convention(): DecimalConvention {
    if (this.#point && this.#comma) return 'mixed';
    if (this.#spaced && this.#undecided.has(this.#point ? ',' : '.') && this.isProven) return 'mixed';
    if (this.#point) return 'point';
    return this.#comma ? 'comma' : 'unproven';
  }

  /** Whether the column has an amount that can be read in one convention only. */
  get isProven(): boolean {
    return this.#point || this.#comma;
  }
}

/** Whether a trimmed amount can be read only when the whole column is known. */
export function textNeedsConvention(text: string): boolean {
  const shape = amountShape(text);
  if (shape !== 'none') return needsConvention(shape);
  const amount = amountTextOf(text);
  // What is suggested for one in other digits must be written as the column writes decimals.
  return amount === null ? strangeIn(text) !== null : needsConvention(amount.shape);
}

/** What a column proves and, where it contradicts itself, by which cells. */
export type ProvenConvention = { convention: DecimalConvention; contradiction: Contradiction };

/** A pass over the amounts of the whole column. */
export async function proveConvention(table: Table, header: Header): Promise<ProvenConvention> {
  const proof = new ConventionProof();
  for await (const part of table.parts()) {
    if (part.kind === 'fault') break;
    for (const [at, cells] of part.records.entries()) {
      const row = part.firstRow + at;
      if (row <= header.row) continue;
      proof.add(amountTextIn(header, cells, part.facts?.[at] ?? null), row);
      if (proof.convention === 'mixed') break;
    }
    if (proof.convention === 'mixed') break;
  }
  return { convention: proof.convention, contradiction: proof.contradictionIn(header) };
}

/** The amount as a person wrote it; empty where it is a number cell of a workbook, which has no convention. */
export function amountTextIn({ index }: Header, cells: readonly string[], facts: RowFacts | null): string {
  return facts?.cells?.[index.amount]?.kind === 'number' ? '' : (cells[index.amount]?.trim() ?? '');
}
