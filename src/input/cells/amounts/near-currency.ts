import { RAILS } from '../../../domain/rails/registry.ts';
import { letterDistance } from '../../header/near-miss.ts';

const CODES = [...new Set(RAILS.flatMap(({ currency }) => currency ?? []))];

/** The one currency of a rail that is a wrong, missing or additional letter, or a swap of two, away; null where none is, or several. */
export function nearCurrency(text: string): string | null {
  const written = text.trim().toUpperCase();
  const [near = null, ...others] = CODES.filter((code) => letterDistance(written, code, 1) === 1);
  return others.length === 0 ? near : null;
}
