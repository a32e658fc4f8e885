import { localIso } from '../../../messages/local-time.ts';
import { t } from '../../../messages/translate.ts';
import { type Html, html } from '../../shell/html.ts';
import { count } from '../../shell/parts.ts';
import type { CurvePoint } from './curve.ts';

/** The plot, within a picture that has room for its labels. */
const PLOT = { left: 48, right: 396, top: 10, bottom: 128 };
const WIDTH = 400;
const HEIGHT = 152;
/** A shorter time has seconds in its labels. */
const MINUTES_FROM_MS = 180_000;

/** `total`: payouts to be sent; `endAt`: when all will be sent at this pace (Unix ms), null where nobody knows. */
type OverTime = { points: readonly CurvePoint[]; total: number; endAt: number | null };

/** How many payouts were sent and completed, over time; null before there is anything to draw. */
export function overTime({ points, total, endAt }: OverTime): Html | null {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || last.at === first.at) return null;
  const until = Math.max(last.at, Math.round(endAt ?? 0));
  const x = (at: number) => PLOT.left + ((at - first.at) * (PLOT.right - PLOT.left)) / (until - first.at);
  const y = (payouts: number) => PLOT.bottom - (payouts * (PLOT.bottom - PLOT.top)) / Math.max(1, total);
  const line = (of: 'sent' | 'completed') =>
    points.map((point) => `${round(x(point.at))},${round(y(point[of]))}`).join(' ');
  const clock = (at: number) => localIso(at).slice(11, until - first.at < MINUTES_FROM_MS ? 19 : 16);
  const marks = [total, Math.round(total / 2), 0].map(
    (payouts) =>
      html`<path class="grid" d="M${PLOT.left} ${round(y(payouts))}H${PLOT.right}"/><text x="${PLOT.left - 8}" y="${round(y(payouts) + 4)}" text-anchor="end">${count(payouts)}</text>`,
  );
  const isAhead = until > last.at;
  const nowAt = x(last.at);
  const ends = html`<text x="${PLOT.left}" y="${HEIGHT - 4}">${clock(first.at)}</text>${isAhead && html`<text x="${PLOT.right}" y="${HEIGHT - 4}" text-anchor="end">${clock(until)}</text>`}`;
  const now =
    (!isAhead || (nowAt > PLOT.left + 90 && nowAt < PLOT.right - 80)) &&
    html`<text x="${round(nowAt)}" y="${HEIGHT - 4}" text-anchor="${isAhead ? 'middle' : 'end'}">${t`Now`}</text>`;
  const words = t`${count(last.sent)} of ${count(total)} sent, ${count(last.completed)} completed`;
  return html`<section class="over-time" aria-labelledby="over-time"><div class="head"><h3 id="over-time">Over time</h3>
<ul class="legend-line"><li><i class="swatch sending"></i>${t`Sent`}</li><li><i class="swatch completed"></i>${t`Completed`}</li></ul></div>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words}">${marks}
<polygon class="area" points="${round(x(first.at))},${PLOT.bottom} ${line('sent')} ${round(nowAt)},${PLOT.bottom}"/><polyline class="completed" points="${line('completed')}"/><polyline class="sent" points="${line('sent')}"/>
${ends}${now}</svg></section>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
