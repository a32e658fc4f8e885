import type { Counts } from '../../domain/entry.ts';
import { type Html, html } from './html.ts';

/** A bar of a chart: what it stands for, its figure in words, and how long it is beside the others. */
export type Bar = { label: string; figure: string; value: bigint };

/** The plot's own units: it is stretched to its place. */
const HEIGHT = 32;
const BAR = 8;
const STEP = 10;

/**
 * A row of bars, the last of which is the present one. A screen reader reads `title` and each bar's words; the figures stand
 * in a table beside it too. `id` is alone on its page. Bars that are not 0 are seen however short they are.
 */
export function barChart(id: string, title: string, bars: readonly Bar[]): Html {
  const top = bars.reduce((most, { value }) => (value > most ? value : most), 1n);
  const shown = bars.map(({ value }, at) => {
    const height = value <= 0n ? 0 : Math.max(1, Number((value * BigInt(HEIGHT * 10)) / top) / 10);
    const className = at === bars.length - 1 ? 'now' : 'past';
    return html`<rect class="${className}" x="${at * STEP}" y="${Math.round((HEIGHT - height) * 10) / 10}" width="${BAR}" height="${height}" rx="1"/>`;
  });
  const words = bars.map(({ label, figure }) => `${label}: ${figure}`).join('; ');
  return html`<svg class="bars-chart" viewBox="0 0 ${bars.length * STEP - (STEP - BAR)} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-text"><title id="${id}-title">${title}</title><desc id="${id}-text">${words}</desc><rect class="base" x="0" y="${HEIGHT - 0.5}" width="${bars.length * STEP}" height="0.5"/>${shown}</svg>`;
}

const WIDTH = 1_000;
/** What there is of an outcome is seen, however little it is. */
const SEEN_FROM = 6;

/** How far a payment is, by outcome, in one bar. `label` is what a screen reader reads. */
export function outcomeBar(label: string, payouts: number, counts: Counts): Html {
  const parts = [
    ['ok', counts.completed],
    ['bad', counts.failed + counts.rejected],
    ['warn', counts.unresolved],
  ] as const;
  let x = 0;
  const shown = parts.map(([tone, of]) => {
    const width = of === 0 ? 0 : Math.max(SEEN_FROM, Math.round((of * WIDTH) / Math.max(1, payouts)));
    const part = of > 0 && html`<rect class="${tone}" x="${x}" y="0" width="${width}" height="10"/>`;
    x += width;
    return part;
  });
  return html`<svg class="outcome-bar" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" role="img" aria-label="${label}">${shown}</svg>`;
}
