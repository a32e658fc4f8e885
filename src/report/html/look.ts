import type { ReportStatus } from '../../domain/outcomes/payout-outcome.ts';
import { messages } from '../../messages/messages.ts';

/**
 * How everything that people look at looks: the report, and the page that shows the same runs. Colours, sizes and the few
 * parts that both have. A style sheet begins with `LOOK_CSS`, and takes every colour and every distance from it.
 */
export type Colour = keyof typeof COLOURS;

/** Each colour by day and by night. The tests hold every pair that is used to the contrast of WCAG 2.2 AA. */
export const COLOURS = {
  page: { light: '#f6f7f8', dark: '#101215' },
  surface: { light: '#ffffff', dark: '#181b1f' },
  sunken: { light: '#f1f3f5', dark: '#21252a' },
  line: { light: '#e2e5e9', dark: '#2e333a' },
  'line-strong': { light: '#828b96', dark: '#78828e' },
  text: { light: '#171a1e', dark: '#eceef1' },
  'text-soft': { light: '#555d67', dark: '#a5aeb9' },
  accent: { light: '#2450c4', dark: '#8eb0ff' },
  'accent-tint': { light: '#e9effd', dark: '#1e2a47' },
  'on-accent': { light: '#ffffff', dark: '#101215' },
  rehearsal: { light: '#ffd43b', dark: '#ffd43b' },
  'on-rehearsal': { light: '#171a1e', dark: '#171a1e' },
  completed: { light: '#11734b', dark: '#58c796' },
  'completed-tint': { light: '#e2f4ea', dark: '#153328' },
  failed: { light: '#b3261e', dark: '#ff8f85' },
  'failed-tint': { light: '#fce9e7', dark: '#43201e' },
  rejected: { light: '#8f4a06', dark: '#eda45d' },
  'rejected-tint': { light: '#fcefdf', dark: '#3d2a16' },
  unresolved: { light: '#6236b8', dark: '#bfa0ff' },
  'unresolved-tint': { light: '#f0e9fd', dark: '#2f2450' },
  not_submitted: { light: '#555d67', dark: '#a5aeb9' },
  'not_submitted-tint': { light: '#eceef1', dark: '#2a2f35' },
} as const satisfies Record<string, { light: string; dark: string }>;

/** The five outcomes in the order in which pictures and lists show them, and what people read for each. */
export const OUTCOMES = Object.entries(messages.outcomes.STATUS_LABELS).map(([status, label]) => ({
  status: status as ReportStatus,
  label,
}));

/** A status in words and with its mark: the word says it, colour and shape repeat it. */
export function statusBadge(status: ReportStatus): string {
  return `<span class="status ${status}">${messages.outcomes.STATUS_LABELS[status]}</span>`;
}

const SIZES = `
--font:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
--font-code:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;
--size-s:.8125rem;--size-m:.9375rem;--size-l:1.125rem;--size-xl:1.5rem;--size-xxl:2rem;
--space-1:.25rem;--space-2:.5rem;--space-3:.75rem;--space-4:1rem;--space-5:1.5rem;--space-6:2rem;--space-7:3rem;--space-8:4rem;
--radius:.5rem;--radius-s:.25rem;--width:80rem;--measure:42rem;`;

/** The elements as they are everywhere. */
const ELEMENTS = `
*,::before,::after{box-sizing:border-box}
html{color-scheme:light dark;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:var(--size-m)/1.55 var(--font);font-variant-numeric:tabular-nums}
h1,h2,h3{margin:0;line-height:1.25;font-weight:600;letter-spacing:-.01em;text-wrap:balance}
h1{font-size:var(--size-xxl)}h2{font-size:var(--size-l)}h3{font-size:var(--size-m)}
p,ul,ol,dl,dd,figure{margin:0;padding:0}
ul,ol{list-style:none}
p{max-width:var(--measure);text-wrap:pretty}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
code,pre{font-family:var(--font-code);font-size:.9em}
table{width:100%;border-collapse:collapse;text-align:left}
caption{padding:0 0 var(--space-3);text-align:left;color:var(--text-soft)}
th{font-weight:500;font-size:var(--size-s);color:var(--text-soft)}
th,td{padding:var(--space-2) var(--space-3);border-bottom:1px solid var(--line);vertical-align:top}
tbody th{font-size:inherit;color:inherit}
thead th{white-space:nowrap;vertical-align:bottom}`;

/** The parts that the report and the page share. */
const PARTS = `
.band{max-width:none;padding:var(--space-3) var(--space-4);background:var(--rehearsal);color:var(--on-rehearsal);text-align:center;font-weight:700;letter-spacing:.02em;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.card{padding:var(--space-5);background:var(--surface);border:1px solid var(--line);border-radius:var(--radius)}
.soft{color:var(--text-soft)}
.small{font-size:var(--size-s)}
.number{text-align:right;white-space:nowrap}
.id{font-family:var(--font-code);font-size:.9em;overflow-wrap:anywhere}
.command{display:block;padding:var(--space-2) var(--space-3);background:var(--sunken);border-radius:var(--radius-s);overflow-wrap:anywhere}
.flag{white-space:nowrap}
.scroll{overflow-x:auto}
.hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.status{display:inline-flex;align-items:center;gap:.4em;padding:.1em .6em;border-radius:1em;font-size:var(--size-s);font-weight:500;white-space:nowrap;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.status::before,.legend dt::before{content:"";flex:none;width:.6em;height:.6em;background:currentColor;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.completed::before{border-radius:50%}
.failed::before{clip-path:polygon(20% 0,50% 30%,80% 0,100% 20%,70% 50%,100% 80%,80% 100%,50% 70%,20% 100%,0 80%,30% 50%,0 20%)}
.rejected::before{border-radius:.1em}
.unresolved::before{clip-path:polygon(50% 0,100% 100%,0 100%)}
.status.not_submitted::before,.legend .not_submitted::before{background:none;border:.13em solid currentColor;border-radius:50%}`;

/** Custom properties, elements and shared parts. Paper is always white. */
export const LOOK_CSS = [
  `:root{${colours('light')}${SIZES}}`,
  `@media screen and (prefers-color-scheme:dark){:root{${colours('dark')}}}`,
  ELEMENTS,
  PARTS,
  ...OUTCOMES.map(({ status }) => `.status.${status}{background:var(--${status}-tint);color:var(--${status})}`),
  '@media print{html{color-scheme:light;font-size:11px}body{background:none}.card{border:0;padding:0}}',
  '@media (prefers-reduced-motion:reduce){*,::before,::after{animation:none!important;transition:none!important}}',
].join('\n');

function colours(by: 'light' | 'dark'): string {
  return Object.entries(COLOURS)
    .map(([name, colour]) => `--${name}:${colour[by]};`)
    .join('');
}
