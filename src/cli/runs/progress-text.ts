import { styleText } from 'node:util';
import { messages } from '../../messages/messages.ts';
import { type Pace, type ProgressCounts, type ProgressSnapshot, settledOf } from '../../report/model/pace.ts';
import { displayWidth, truncate } from '../tables.ts';

type Paint = Parameters<typeof styleText>[0];

/** In the order in which they are shown: what is done, what is under way, what is wrong. */
const SHOWN: readonly { count: keyof ProgressCounts; label: string; paint: Paint }[] = [
  { count: 'completed', label: 'completed', paint: 'green' },
  { count: 'accepted', label: 'accepted', paint: 'cyan' },
  { count: 'sending', label: 'sending', paint: 'cyan' },
  { count: 'waiting', label: 'waiting', paint: 'dim' },
  { count: 'not_submitted', label: 'not submitted', paint: 'yellow' },
  { count: 'in_doubt', label: 'in doubt', paint: 'yellow' },
  { count: 'failed', label: 'failed', paint: 'red' },
  { count: 'rejected', label: 'rejected', paint: 'red' },
  { count: 'unresolved', label: 'unresolved', paint: 'red' },
];

const BAR_MIN = 10;
const BAR_MAX = 40;

/** The lines of the live block, none wider than `width` columns. */
export function liveLines(snapshot: ProgressSnapshot, pace: Pace, width: number, colour: boolean): string[] {
  const counts = SHOWN.filter(({ count }) => snapshot.counts[count] > 0).map(({ count, label, paint }) => ({
    text: `${grouped(snapshot.counts[count])} ${label}`,
    paint,
  }));
  return [
    barLine(snapshot, width),
    ...wrapped(
      [sentText(snapshot), ...messages.pace.paceTexts(pace), ...awaitedTexts(snapshot)].map((text) => ({
        text,
        paint: 'bold' as const,
      })),
      width,
      colour,
    ),
    ...wrapped(counts, width, colour),
  ];
}

/** The same on one line, for logs. */
export function plainLine(snapshot: ProgressSnapshot, pace: Pace): string {
  const counts = SHOWN.filter(({ count }) => snapshot.counts[count] > 0).map(
    ({ count, label }) => `${grouped(snapshot.counts[count])} ${label}`,
  );
  return `${messages.pace.STEPS[snapshot.phase]}: ${[sentText(snapshot), ...counts, ...messages.pace.paceTexts(pace), ...awaitedTexts(snapshot)].join(', ')}`;
}

/** `submitting  ████▒▒░░░░   42 %`: settled payouts full, sent ones shaded. 100 % is only ever the whole. */
function barLine({ phase, counts, total }: ProgressSnapshot, width: number): string {
  const step = messages.pace.STEPS[phase];
  const settled = settledOf(counts);
  const percent = total === 0 ? 100 : Math.floor((settled * 100) / total);
  const tail = `  ${String(percent).padStart(3)} %`;
  const room = width - displayWidth(step) - 2 - tail.length;
  if (room < BAR_MIN) return truncate(`${step}${tail}`, width);
  const length = Math.min(room, BAR_MAX);
  const cells = (count: number) => (total === 0 ? length : Math.floor((count * length) / total));
  const full = cells(settled);
  const shaded = cells(settled + counts.accepted) - full;
  return `${step}  ${'█'.repeat(full)}${'▒'.repeat(shaded)}${'░'.repeat(length - full - shaded)}${tail}`;
}

/** Nothing where there is no wait. */
function awaitedTexts({ awaits }: ProgressSnapshot): string[] {
  return awaits === undefined ? [] : [messages.pace.awaitedText(awaits)];
}

function sentText({ sent, total }: ProgressSnapshot): string {
  return `${grouped(sent)} of ${grouped(total)} sent`;
}

/** Texts in as few lines as they fit in, parted by middle dots. */
function wrapped(parts: readonly { text: string; paint: Paint }[], width: number, colour: boolean): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const { text, paint } of parts) {
    const shown = truncate(text, width);
    const needed = displayWidth(shown) + (used === 0 ? 0 : 3);
    if (used > 0 && used + needed > width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    const painted = colour ? styleText(paint, shown, { validateStream: false }) : shown;
    line += used === 0 ? painted : ` · ${painted}`;
    used += used === 0 ? displayWidth(shown) : needed;
  }
  return used === 0 ? lines : [...lines, line];
}

/** `40,000` */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
