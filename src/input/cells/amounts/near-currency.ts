import { RAILS } from '../../../domain/rails/registry.ts';

const CODES = [...new Set(RAILS.flatMap(({ currency }) => currency ?? []))];

/** The one currency of a rail that is a wrong, missing or additional letter, or a swap of two, away; null where none is, or several. */
export function nearCurrency(text: string): string | null {
  const said = text.trim().toUpperCase();
  const near = CODES.filter((code) => isNear(said, code));
  return near.length === 1 ? (near[0] ?? null) : null;
}

function isNear(said: string, code: string): boolean {
  if (said.length === code.length) return isSwapped(said, code) || differing(said, code).length === 1;
  const [longer, shorter] = said.length > code.length ? [said, code] : [code, said];
  return Array.from(longer, (_, at) => longer.slice(0, at) + longer.slice(at + 1)).includes(shorter);
}

function isSwapped(said: string, code: string): boolean {
  const [first = -1, second = -1, ...more] = differing(said, code);
  return more.length === 0 && second === first + 1 && said[first] === code[second] && said[second] === code[first];
}

function differing(one: string, other: string): number[] {
  return Array.from(one, (_, at) => at).filter((at) => one[at] !== other[at]);
}
