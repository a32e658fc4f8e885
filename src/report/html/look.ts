import type { ReportStatus } from '../../domain/outcomes/payout-outcome.ts';
import { messages } from '../../messages/messages.ts';

/**
 * How everything that people look at looks: the report, and the page that shows the same runs. Colours, sizes and the few
 * parts that both have. A style sheet begins with `LOOK_CSS`, and takes every colour and every distance from it.
 */
export type Colour = keyof typeof COLOURS;

/** Each colour by day and by night. The tests hold every pair that is used to the contrast of WCAG 2.2 AA. */
export const COLOURS = {
  // Around, and where the work is.
  paper: { light: '#f6f5f1', dark: '#101213' },
  surface: { light: '#ffffff', dark: '#17191b' },
  sunken: { light: '#faf9f6', dark: '#1c1f21' },
  hover: { light: '#f4f3ee', dark: '#202427' },
  line: { light: '#e6e3db', dark: '#2a2e31' },
  'line-2': { light: '#d3cfc4', dark: '#3b4145' },
  field: { light: '#8b877c', dark: '#767d82' },
  track: { light: '#e9e6de', dark: '#2d3235' },
  ink: { light: '#17191b', dark: '#ebecec' },
  'ink-2': { light: '#4a4e51', dark: '#b9bdc0' },
  'ink-3': { light: '#666a6c', dark: '#959a9e' },
  // The one accent: what is to be done, the current place, focus, money in motion.
  accent: { light: '#0b5c6d', dark: '#62c3d2' },
  'accent-hover': { light: '#084959', dark: '#83d3df' },
  'accent-ink': { light: '#0a5161', dark: '#8fdae5' },
  'accent-soft': { light: '#e1f0f2', dark: '#12333a' },
  'accent-line': { light: '#a9d0d7', dark: '#28616c' },
  'on-accent': { light: '#ffffff', dark: '#05242a' },
  focus: { light: '#0b7489', dark: '#7fd6e3' },
  // States, as text, behind it, and in bars. Green is only what is done, red what went wrong, amber what a person must look at.
  ok: { light: '#16653a', dark: '#83d8a6' },
  'ok-soft': { light: '#e1f3e7', dark: '#13301f' },
  'ok-solid': { light: '#23844f', dark: '#3fa86c' },
  warn: { light: '#7c4a03', dark: '#f2c36b' },
  'warn-soft': { light: '#fdf0d5', dark: '#35280d' },
  'warn-solid': { light: '#b86e00', dark: '#d5942a' },
  'warn-line': { light: '#ecd29a', dark: '#5f4818' },
  bad: { light: '#a61f17', dark: '#ffa196' },
  'bad-soft': { light: '#fdeae7', dark: '#3d1b18' },
  'bad-solid': { light: '#c6352b', dark: '#e0594e' },
  'bad-line': { light: '#f0bdb6', dark: '#6d302a' },
  idle: { light: '#4a4e51', dark: '#b9bdc0' },
  'idle-soft': { light: '#eeece6', dark: '#282c2f' },
  'idle-solid': { light: '#a19d92', dark: '#6f767b' },
  // The mode, and nothing else.
  'live-bg': { light: '#0a3a46', dark: '#0d4552' },
  'live-ink': { light: '#ffffff', dark: '#f0fcff' },
  'live-quiet': { light: '#bcdde3', dark: '#b4dbe2' },
  'test-bg': { light: '#ffd02e', dark: '#ffd02e' },
  'test-stripe': { light: '#f4bb00', dark: '#f4bb00' },
  'test-ink': { light: '#1b1500', dark: '#1b1500' },
  'test-quiet': { light: '#4a3b00', dark: '#4a3b00' },
  'data-1': { light: '#0b5c6d', dark: '#62c3d2' },
  'data-2': { light: '#5a9eac', dark: '#3b8592' },
  'data-3': { light: '#a9cdd4', dark: '#25525a' },
} as const satisfies Record<string, { light: string; dark: string }>;

/** What a state means to a person who looks at it: the colours of its text, behind it, and in bars. */
export type Tone = 'ok' | 'warn' | 'bad' | 'idle';

export const TONES: Readonly<Record<ReportStatus, Tone>> = {
  completed: 'ok',
  failed: 'bad',
  rejected: 'bad',
  unresolved: 'warn',
  not_submitted: 'idle',
};

/** The five outcomes in the order in which pictures and lists show them, and what people read for each. */
export const OUTCOMES = Object.keys(messages.outcomes.STATUS_LABELS).map((name) => {
  const status = name as ReportStatus;
  return {
    status,
    get label() {
      return messages.outcomes.STATUS_LABELS[status];
    },
  };
});

/** A status in words and with its mark: the word says it, colour and shape repeat it. */
export function statusBadge(status: ReportStatus): string {
  return `<span class="status ${status}">${messages.outcomes.STATUS_LABELS[status]}</span>`;
}

const SIZES = `
--font:-apple-system,BlinkMacSystemFont,"Segoe UI Variable Text","Segoe UI",Roboto,"Helvetica Neue","Liberation Sans",Arial,sans-serif;
--mono:ui-monospace,SFMono-Regular,"SF Mono","Cascadia Mono",Consolas,"Liberation Mono",monospace;
--fs-12:.75rem;--fs-13:.8125rem;--fs-14:.875rem;--fs-16:1rem;--fs-22:1.375rem;--fs-28:1.75rem;
--s1:4px;--s2:8px;--s3:12px;--s4:16px;--s5:20px;--s6:24px;--s8:32px;--s10:40px;--s12:48px;
--row:36px;--control:32px;--control-sm:26px;--nav:216px;--bar:28px;
--r1:4px;--r2:6px;--r3:10px;--r-full:999px;--width:80rem;--measure:42rem;`;

/** The elements as they are everywhere. */
const ELEMENTS = `
*,::before,::after{box-sizing:border-box}
html{color-scheme:light dark;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--surface);color:var(--ink);font:var(--fs-13)/20px var(--font);font-variant-numeric:tabular-nums;-webkit-font-smoothing:antialiased}
h1,h2,h3{margin:0;font-weight:650;text-wrap:balance}
h1{font-size:var(--fs-22);line-height:28px;letter-spacing:-.018em}h2{font-size:var(--fs-14);line-height:20px}h3{font-size:var(--fs-13);line-height:20px}
p,ul,ol,dl,dd,figure{margin:0;padding:0}
ul,ol{list-style:none}
p{max-width:var(--measure);text-wrap:pretty}
a{color:var(--accent-ink);text-decoration-color:var(--accent-line);text-underline-offset:3px}
a:hover{text-decoration-color:currentColor}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
code,pre{font-family:var(--mono);font-size:.9em}
table{width:100%;border-collapse:collapse;text-align:left}
caption{padding:0 0 var(--s3);text-align:left;color:var(--ink-2)}
th{font-weight:500;font-size:var(--fs-12);color:var(--ink-3)}
th,td{padding:var(--s2) var(--s3);border-bottom:1px solid var(--line);vertical-align:top}
tbody th{font-size:inherit;color:inherit}
thead th{white-space:nowrap;vertical-align:bottom}`;

/** The parts that the report and the page share. */
const PARTS = `
.band{max-width:none;padding:var(--s3) var(--s4);background:repeating-linear-gradient(-45deg,var(--test-bg) 0 10px,var(--test-stripe) 10px 20px);color:var(--test-ink);text-align:center;font-weight:650;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.card{padding:var(--s5);background:var(--surface);border:1px solid var(--line);border-radius:var(--r3)}
.soft{color:var(--ink-2)}
.small{font-size:var(--fs-12)}
.number{text-align:right;white-space:nowrap}
.id{font-family:var(--mono);font-size:.9em;overflow-wrap:anywhere}
.command{display:block;padding:var(--s2) var(--s3);background:var(--sunken);border-radius:var(--r2);overflow-wrap:anywhere}
.flag{white-space:nowrap}
.scroll{overflow-x:auto}
.hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.status{display:inline-flex;align-items:center;gap:5px;padding:2px 8px;border-radius:var(--r-full);font-size:var(--fs-12);line-height:16px;font-weight:600;white-space:nowrap;print-color-adjust:exact;-webkit-print-color-adjust:exact}
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
  ...OUTCOMES.map(
    ({ status }) => `.status.${status}{background:var(--${TONES[status]}-soft);color:var(--${TONES[status]})}`,
  ),
  '@media print{html{color-scheme:light;font-size:11px}body{background:none}.card{border:0;padding:0}}',
  '@media (prefers-reduced-motion:reduce){*,::before,::after{animation:none!important;transition:none!important}}',
].join('\n');

function colours(by: 'light' | 'dark'): string {
  return Object.entries(COLOURS)
    .map(([name, colour]) => `--${name}:${colour[by]};`)
    .join('');
}
