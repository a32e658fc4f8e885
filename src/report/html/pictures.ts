import type { Counts } from '../../domain/entry.ts';
import { localDay, localIso, localMoment } from '../../messages/local-time.ts';
import { number } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { htmlText } from './html-parts.ts';
import { OUTCOMES, TONES } from './look.ts';

/**
 * Pictures as SVG text. They have classes and presentation attributes and no style of their own, so they stand under a
 * content security policy without inline styles; `PICTURES_CSS` goes into the style sheet. They are as wide as the place
 * that they are put in, and their writing keeps its size there.
 */
export const PICTURES_CSS = `
.outcomes{display:block;width:100%;height:2rem;border-radius:var(--r2);overflow:hidden;background:var(--sunken)}
.outcomes rect{stroke:var(--surface);stroke-width:2}
.outcomes .hatch{fill:none;stroke:var(--surface);stroke-width:2}
${OUTCOMES.map(({ status }) => `.outcomes .${status},.legend .${status}::before{fill:var(--${TONES[status]}-solid);color:var(--${TONES[status]}-solid)}`).join('\n')}
.outcomes .not_submitted{fill:var(--field)}
.legend{display:flex;flex-wrap:wrap;gap:var(--s3) var(--s8);margin-top:var(--s4)}
.legend div{display:flex;flex-direction:column}
.legend dt{display:flex;align-items:center;gap:.5em;font-size:var(--fs-12);color:var(--ink-2)}
.legend dd{font-size:var(--fs-22);font-weight:600;line-height:1.2;letter-spacing:-.01em}
.progress{display:block;width:100%;height:13rem;overflow:visible;font-size:var(--fs-12)}
.progress text{fill:var(--ink-2)}
.progress .grid{stroke:var(--line)}
.progress .axis{stroke:var(--field)}
.progress .area{fill:var(--ok-soft)}
.progress .finished{fill:none;stroke:var(--ok);stroke-width:2}
.progress .sent{fill:none;stroke:var(--accent);stroke-width:2;stroke-dasharray:2 4}
@media print{.outcomes rect,.outcomes,.progress path{print-color-adjust:exact;-webkit-print-color-adjust:exact}}`;

/** What a picture's ids begin with: each must be alone on its page. */
type Naming = { id?: string };

/** In hundredths of a percent of the bar: however few are unresolved among a hundred thousand, they are seen. */
const SEGMENT_LEAST = 80;

const WHOLE = 10_000;

/** A bar of the five outcomes, in their order, each as wide as its share. Goes with `outcomeLegend`, which has the figures. */
export function outcomePicture(counts: Counts, { id = 'outcomes' }: Naming = {}): string {
  const total = OUTCOMES.reduce((sum, { status }) => sum + counts[status], 0);
  let from = 0;
  const segments = widthsOf(counts, total).flatMap((width, at) => {
    const status = OUTCOMES[at]?.status;
    if (width === 0 || status === undefined) return [];
    const place = `x="${percent(from)}" y="0" width="${percent(width)}" height="100%"`;
    from += width;
    const hatch = HATCHED.has(status) ? `<rect ${place} fill="url(#${id}-hatch)"/>` : '';
    return [`<rect class="${status}" ${place}/>${hatch}`];
  });
  const hatch = `<defs><pattern id="${id}-hatch" width="8" height="8" patternUnits="userSpaceOnUse"><path class="hatch" d="M-2 10L10 -2M-2 2L2 -2M6 10L10 6"/></pattern></defs>`;
  return `<svg class="outcomes" role="img" aria-labelledby="${id}-title ${id}-text">${named(id, t`Outcomes`, outcomeWords(counts, total))}${hatch}${segments.join('')}</svg>`;
}

/** Distinguished from their neighbours without colour, on paper too. */
const HATCHED: ReadonlySet<string> = new Set(['rejected', 'unresolved']);

/** The figures of `outcomePicture`. Outcomes that there are none of are left out, but for the completed. */
export function outcomeLegend(counts: Counts): string {
  const shown = OUTCOMES.filter(({ status }) => counts[status] > 0 || status === 'completed');
  const items = shown.map(
    ({ status, label }) => `<div><dt class="${status}">${label}</dt><dd>${number(counts[status])}</dd></div>`,
  );
  return `<dl class="legend">${items.join('')}</dl>`;
}

function outcomeWords(counts: Counts, total: number): string {
  const parts = OUTCOMES.filter(({ status }) => counts[status] > 0).map(
    ({ status, label }) => `${number(counts[status])} ${label}`,
  );
  return total === 0 ? t`No payouts.` : t`Of ${number(total)} payouts: ${parts.join(', ')}.`;
}

function widthsOf(counts: Counts, total: number): number[] {
  if (total === 0) return [];
  const widths = OUTCOMES.map(({ status }) =>
    counts[status] === 0 ? 0 : Math.max(SEGMENT_LEAST, Math.round((counts[status] * WHOLE) / total)),
  );
  const widest = widths.indexOf(Math.max(...widths));
  const over = widths.reduce((sum, width) => sum + width, 0) - WHOLE;
  return widths.map((width, at) => (at === widest ? width - over : width));
}

/** How many payouts were sent, and how many had their outcome, up to a moment (Unix ms). */
export type ProgressPoint = { at: number; sent: number; finished: number };

/** The plot's own units; it is stretched to its place. */
const PLOT = { width: 1_000, height: 100 };

/**
 * How a run went on: payouts that were sent (dashed) and that have their outcome (solid) over time. `points` are in the
 * order of time; `total` is how many payouts there are to make.
 */
export function progressPicture(
  points: readonly ProgressPoint[],
  total: number,
  { id = 'progress' }: Naming = {},
): string {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return '';
  const top = Math.max(1, total, last.sent, last.finished);
  const x = (at: number) => Math.round(((at - first.at) * PLOT.width) / Math.max(1, last.at - first.at));
  const y = (count: number) => Math.round(((top - count) * PLOT.height * 10) / top) / 10;
  const finished = stepPath(points, x, ({ finished }) => y(finished));
  const words = t`${number(last.sent)} sent and ${number(last.finished)} finished of ${number(total)}, from ${localMoment(first.at)} to ${localMoment(last.at)}.`;
  return [
    `<svg class="progress" role="img" aria-labelledby="${id}-title ${id}-text">${named(id, t`Progress over time`, words)}`,
    keyLine(0, 'finished', t`finished`),
    keyLine(110, 'sent', t`sent`),
    `<svg x="0" y="15%" width="100%" height="72%" viewBox="0 0 ${PLOT.width} ${PLOT.height}" preserveAspectRatio="none" overflow="visible">`,
    `<path class="area" d="${finished}V${PLOT.height}H0Z"/>`,
    line('grid', 'M0 0H1000M0 50H1000'),
    line('axis', 'M0 100H1000'),
    line(
      'sent',
      stepPath(points, x, ({ sent }) => y(sent)),
    ),
    line('finished', finished),
    '</svg>',
    `<text x="100%" y="12%" text-anchor="end">${number(top)}</text>`,
    ...timeLabels(first.at, last.at),
    '</svg>',
  ].join('');
}

function line(className: string, path: string): string {
  return `<path class="${className}" d="${path}" vector-effect="non-scaling-stroke"/>`;
}

function keyLine(at: number, className: 'sent' | 'finished', words: string): string {
  return `<path class="${className}" d="M${at} 10h24"/><text x="${at + 32}" y="14">${htmlText(words)}</text>`;
}

/** Counts jump: a sloping line would show payouts that were made at no moment. */
function stepPath(
  points: readonly ProgressPoint[],
  x: (at: number) => number,
  y: (point: ProgressPoint) => number,
): string {
  const steps = points.map((point) => `H${x(point.at)}V${y(point)}`);
  return `M0 ${PLOT.height}${steps.join('')}H${PLOT.width}`;
}

/** Where it began, its middle and its end: as many as the narrowest screen has room for. */
function timeLabels(from: number, to: number): string[] {
  const middle = Math.floor((from + to) / 2);
  const all = [
    [from, '0', 'start'],
    [middle, '50%', 'middle'],
    [to, '100%', 'end'],
  ] as const;
  const shown = to === from ? all.slice(0, 1) : all;
  return shown.map(
    ([at, x, anchor]) => `<text x="${x}" y="97%" text-anchor="${anchor}">${axisTime(at, to - from)}</text>`,
  );
}

const MINUTE_MS = 60_000;
const HOURS_48_MS = 48 * 60 * MINUTE_MS;

/** As fine as the axis needs it. */
function axisTime(at: number, spanMs: number): string {
  const iso = localIso(at);
  if (spanMs < 2_000) return iso.slice(11, 23);
  if (spanMs < 30 * MINUTE_MS) return iso.slice(11, 19);
  return spanMs < HOURS_48_MS ? iso.slice(11, 16) : localDay(at);
}

function named(id: string, title: string, text: string): string {
  return `<title id="${id}-title">${htmlText(title)}</title><desc id="${id}-text">${htmlText(text)}</desc>`;
}

function percent(hundredths: number): string {
  return `${hundredths / 100}%`;
}
