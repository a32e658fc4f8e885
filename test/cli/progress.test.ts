import { describe, expect, test } from 'vitest';
import { createProgress, type Progress, type ProgressSnapshot } from '../../src/cli/runs/progress.ts';
import { displayWidth } from '../../src/cli/tables.ts';
import type { Awaited } from '../../src/domain/outcomes/awaited.ts';
import type { RunStep } from '../../src/domain/outcomes/run-outcome.ts';
import type { Clock } from '../../src/platform/clock.ts';

const NOTHING: ProgressSnapshot['counts'] = {
  waiting: 0,
  sending: 0,
  in_doubt: 0,
  accepted: 0,
  completed: 0,
  failed: 0,
  rejected: 0,
  unresolved: 0,
  not_submitted: 0,
};

const EVERYTHING: ProgressSnapshot = {
  phase: 'submitting',
  counts: {
    waiting: 38_000,
    sending: 8,
    in_doubt: 2,
    accepted: 990,
    completed: 970,
    failed: 12,
    rejected: 9,
    unresolved: 4,
    not_submitted: 5,
  },
  total: 40_000,
  sent: 1_972,
};

/** `done` of 1,000 payouts completed, the rest waiting. */
function submitted(done: number, phase: RunStep = 'submitting'): ProgressSnapshot {
  return { phase, counts: { ...NOTHING, completed: done, waiting: 1_000 - done }, total: 1_000, sent: done };
}

type Options = { isTTY?: boolean; columns?: number; colour?: boolean; quiet?: boolean; movesCursor?: boolean };

/** A progress on a stream that keeps what is written, and a clock that stands until it is moved. */
function started(options: Options): {
  progress: Progress;
  writes: string[];
  later(ms: number): Progress;
  resize(columns: number): void;
} {
  const { isTTY = false, columns = 80, colour = false, quiet = false, movesCursor = true } = options;
  let nowMs = 5_000;
  const clock: Clock = {
    wallMs: () => {
      throw new Error('the machine clock may jump: progress must not read it');
    },
    monotonicMs: () => nowMs,
    sleep: () => {
      throw new Error('progress must not wait');
    },
    soon: () => {
      throw new Error('progress must not wait');
    },
  };
  const writes: string[] = [];
  const stream = { isTTY, columns, write: (text: string) => writes.push(text) };
  const progress = createProgress({ stream, colour, quiet, clock, movesCursor });
  return {
    progress,
    writes,
    later(ms) {
      nowMs += ms;
      return progress;
    },
    resize(to) {
      stream.columns = to;
    },
  };
}

const ESCAPE = '\x1b';
const TOKEN = new RegExp(`${ESCAPE}\\[\\??[0-9;]*[A-Za-z]|[^]`, 'gu');
const COLOUR = new RegExp(`${ESCAPE}\\[[0-9;]*m`);

/** What a terminal of `columns` shows after the writes: enough of ECMA-48 for what progress may use, and no more. */
function screenOf(writes: string[], columns: number): { lines: string[]; isCursorShown: boolean; row: number } {
  const lines: string[] = [''];
  let [row, column, isCursorShown] = [0, 0, true];
  const tokens = writes.join('').match(TOKEN) ?? [];
  for (const token of tokens) {
    const up = token.startsWith(ESCAPE) ? /^\[(\d+)A$/.exec(token.slice(1)) : null;
    if (up) row = Math.max(0, row - Number(up[1]));
    else if (token === '\x1b[K') lines[row] = (lines[row] ?? '').slice(0, column);
    else if (token === '\x1b[J') lines.splice(row, lines.length, (lines[row] ?? '').slice(0, column));
    else if (token === '\x1b[?25l') isCursorShown = false;
    else if (token === '\x1b[?25h') isCursorShown = true;
    else if (COLOUR.test(token)) continue;
    else if (token === '\r') column = 0;
    else if (token === '\n') {
      row++;
      column = 0;
      lines[row] ??= '';
    } else {
      if (token.startsWith(ESCAPE)) throw new Error(`the terminal does not know ${JSON.stringify(token)}`);
      if (column === columns) {
        row++;
        column = 0;
      }
      const line = (lines[row] ?? '').padEnd(column);
      lines[row] = line.slice(0, column) + token + line.slice(column + 1);
      column++;
    }
  }
  return { lines, isCursorShown, row };
}

describe('on a terminal', () => {
  test('80 columns wide', () => {
    const { progress, writes, later } = started({ isTTY: true });
    progress.note('REHEARSAL: no money moves');
    progress.update({ ...EVERYTHING, sent: 1_776, counts: { ...EVERYTHING.counts, waiting: 38_196, completed: 774 } });
    later(2_000).update(EVERYTHING);
    expect(screenOf(writes, 80).lines).toEqual([
      'REHEARSAL: no money moves',
      'submitting  █░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    2 %',
      '1,972 of 40,000 sent · 98/s · about 7 min left',
      '970 completed · 990 accepted · 8 sending · 38,000 waiting · 5 not submitted',
      '2 in doubt · 12 failed · 9 rejected · 4 unresolved',
    ]);
  });

  test('40 columns wide', () => {
    const { progress, writes, later } = started({ isTTY: true, columns: 40 });
    progress.update({ ...EVERYTHING, sent: 1_776, counts: { ...EVERYTHING.counts, waiting: 38_196, completed: 774 } });
    later(2_000).update(EVERYTHING);
    expect(screenOf(writes, 40).lines).toEqual([
      'submitting  ░░░░░░░░░░░░░░░░░░░░    2 %',
      '1,972 of 40,000 sent · 98/s',
      'about 7 min left',
      '970 completed · 990 accepted',
      '8 sending · 38,000 waiting',
      '5 not submitted · 2 in doubt',
      '12 failed · 9 rejected · 4 unresolved',
    ]);
  });

  test.each([1, 5, 12, 20, 31, 40, 80, 200])('no line is wider than %i columns', (columns) => {
    const { progress, writes } = started({ isTTY: true, columns });
    progress.update(EVERYTHING);
    for (const line of screenOf(writes, 1_000).lines) expect(displayWidth(line)).toBeLessThan(Math.max(2, columns));
  });

  test('draws over itself, and a note stays above', () => {
    const { progress, writes, later } = started({ isTTY: true });
    progress.update(submitted(10));
    later(200).update(submitted(500));
    progress.note('Stopping');
    later(200).update(submitted(1_000, 'done'));
    progress.stop();
    const { lines, row } = screenOf(writes, 80);
    expect(lines).toEqual(['Stopping', `done  ${'█'.repeat(40)}  100 %`, '1,000 of 1,000 sent', '1,000 completed', '']);
    expect(row).toBe(4);
  });

  test('draws over itself also where the block becomes shorter', () => {
    const { progress, writes, later } = started({ isTTY: true });
    progress.update(EVERYTHING);
    later(200).update({ ...submitted(5), total: 1_000 });
    expect(screenOf(writes, 80).lines).toHaveLength(3);
  });

  test('draws over itself after the terminal was made narrower, which breaks its lines', () => {
    const { progress, writes, later, resize } = started({ isTTY: true, columns: 80 });
    progress.note('above');
    progress.update(EVERYTHING);
    const wide = writes.length;
    resize(40);
    later(200).update(EVERYTHING);
    const rewrapped = screenOf(writes.slice(0, wide), 40);
    const widths = [53, 20, 75, 50];
    expect(rewrapped.lines).toHaveLength(1 + widths.reduce((sum, width) => sum + Math.ceil(width / 40), 0));
    expect(screenOf(writes, 40).lines.filter((line) => line.startsWith('submitting'))).toHaveLength(1);
    expect(screenOf(writes, 40).lines[0]).toBe('above');
  });

  test('draws at most ten frames a second, but a new phase at once', () => {
    const { writes, later } = started({ isTTY: true });
    for (let at = 0; at < 1_000; at++) later(1).update(submitted(at));
    expect(writes.length).toBe(10);
    later(1).update(submitted(999, 'waiting'));
    expect(writes.length).toBe(11);
  });

  test('hides the cursor within a frame only, so it is there however the process ends', () => {
    const { progress, writes, later } = started({ isTTY: true });
    progress.update(submitted(1));
    later(500).update(submitted(2));
    for (const write of writes) expect([write.slice(0, 6), write.slice(-6)]).toEqual(['\x1b[?25l', '\x1b[?25h']);
    progress.stop();
    expect(screenOf(writes, 80).isCursorShown).toBe(true);
  });

  test('the last snapshot is shown by stop, and nothing after it', () => {
    const { progress, writes, later } = started({ isTTY: true });
    progress.update(submitted(1));
    later(10).update(submitted(1_000));
    progress.stop();
    const count = writes.length;
    progress.stop();
    later(10_000).update(submitted(3));
    progress.note('late');
    expect(writes.length).toBe(count);
    expect(screenOf(writes, 80).lines.at(-2)).toBe('1,000 completed');
  });

  test('what is awaited is drawn anew as its times change', () => {
    const { writes, later } = started({ isTTY: true, columns: 120 });
    const drawn = (awaits: Awaited) => {
      later(100).update({ ...submitted(7), awaits });
      return screenOf(writes, 120).lines[1];
    };
    const answer = { code: 'answer', operation: 'transaction.transfer' } as const;
    expect(drawn({ ...answer, forMs: 4_000, leftMs: 28_000 })).toContain(
      'no answer to transaction.transfer for 4 s, given up in 28 s',
    );
    expect(drawn({ ...answer, forMs: 5_000, leftMs: 27_000 })).toContain('for 5 s, given up in 27 s');
    expect(drawn({ code: 'pause', forMs: 3_000, leftMs: 90_000 })).toContain(
      'paused for 3 s as the service asked (HTTP 429), 2 min left',
    );
    expect(drawn({ code: 'limit', forMs: 3_000, leftMs: null })).toContain(
      'waiting for 3 s for room in the rate limit',
    );
    expect(drawn({ code: 'late_requests', forMs: 3_000, leftMs: 9_000 })).toContain(
      'can take effect any more, 9 s left',
    );
  });

  test('keeps a copy: the counts may change under it', () => {
    const { progress, writes, later } = started({ isTTY: true });
    const snapshot = submitted(7);
    progress.update(snapshot);
    snapshot.counts.completed = 999;
    later(200).note('a note');
    expect(screenOf(writes, 80).lines.at(-1)).toBe('7 completed · 993 waiting');
  });

  test('colours only where colours are wanted (NO_COLOR)', () => {
    const plain = started({ isTTY: true, colour: false });
    plain.progress.update(EVERYTHING);
    expect(plain.writes.join('')).not.toMatch(COLOUR);
    const coloured = started({ isTTY: true, colour: true });
    coloured.progress.update(EVERYTHING);
    expect(coloured.writes.join('')).toContain('\x1b[31m12 failed\x1b[39m');
    expect(screenOf(coloured.writes, 80).lines).toEqual(screenOf(plain.writes, 80).lines);
  });

  test('that cannot move its cursor (TERM=dumb) gets plain lines', () => {
    const { progress, writes } = started({ isTTY: true, movesCursor: false });
    progress.update(submitted(1));
    expect(writes).toEqual(['submitting: 1 of 1,000 sent, 1 completed, 999 waiting\n']);
  });

  test('100 % is only ever the whole, and a run of nothing is whole', () => {
    const { progress, writes, later } = started({ isTTY: true });
    progress.update({ ...submitted(999) });
    expect(screenOf(writes, 80).lines[0]).toContain(' 99 %');
    later(200).update({ phase: 'done', counts: NOTHING, total: 0, sent: 0 });
    expect(screenOf(writes, 80).lines[0]).toContain('100 %');
  });
});

describe('elsewhere', () => {
  test('a line every five seconds and at each new phase, without any control character', () => {
    const { progress, writes, later } = started({ colour: false });
    progress.note('REHEARSAL: no money moves');
    progress.update(submitted(0, 'preparing_payees'));
    for (let at = 1; at <= 120; at++) later(100).update(submitted(at));
    later(100).update({ ...submitted(1_000, 'done') });
    progress.stop();
    expect(writes).toEqual([
      'REHEARSAL: no money moves\n',
      'preparing payees: 0 of 1,000 sent, 1,000 waiting\n',
      'submitting: 1 of 1,000 sent, 1 completed, 999 waiting\n',
      'submitting: 51 of 1,000 sent, 51 completed, 949 waiting, 10/s, about 2 min left\n',
      'submitting: 101 of 1,000 sent, 101 completed, 899 waiting, 10/s, about 2 min left\n',
      'done: 1,000 of 1,000 sent, 1,000 completed\n',
    ]);
  });

  test('says the same no more than once a minute', () => {
    const { writes, later } = started({});
    const waiting: ProgressSnapshot = {
      phase: 'waiting',
      counts: { ...NOTHING, accepted: 3, completed: 7 },
      total: 10,
      sent: 10,
    };
    for (let at = 0; at < 1_250; at++) later(100).update(waiting);
    expect(writes).toEqual([
      'waiting: 10 of 10 sent, 7 completed, 3 accepted\n',
      'waiting: 10 of 10 sent, 7 completed, 3 accepted, 0.0/s\n',
      'waiting: 10 of 10 sent, 7 completed, 3 accepted, 0.0/s\n',
    ]);
  });

  test('says what is awaited when a wait begins, and then once a minute however its times change', () => {
    const { writes, later } = started({});
    const counts = { ...NOTHING, accepted: 10 };
    const waiting = (forMs: number): ProgressSnapshot => {
      const awaits = { code: 'outcomes', forMs, leftMs: 7_200_000 - forMs, nextMs: 25_000 } as const;
      return { phase: 'waiting', counts, total: 10, sent: 10, ...(forMs >= 2_500 && { awaits }) };
    };
    for (let forMs = 0; forMs < 70_000; forMs += 100) later(100).update(waiting(forMs));
    expect(writes).toEqual([
      'waiting: 10 of 10 sent, 10 accepted\n',
      'waiting: 10 of 10 sent, 10 accepted, 0.0/s, waiting for 5 s for outcomes, next look in 25 s, 2 h left at most\n',
      'waiting: 10 of 10 sent, 10 accepted, 0.0/s, waiting for 2 min for outcomes, next look in 25 s, 1 h 59 min left at most\n',
    ]);
  });

  test('stop says the last state once, if it was not said', () => {
    const { progress, writes, later } = started({});
    progress.update(submitted(1));
    later(10).update(submitted(2));
    progress.stop();
    progress.stop();
    expect(writes).toHaveLength(2);
    const unchanged = started({});
    unchanged.progress.update(submitted(1));
    unchanged.progress.stop();
    expect(unchanged.writes).toHaveLength(1);
  });

  test('stop before anything happened says nothing', () => {
    for (const isTTY of [true, false]) {
      const { progress, writes } = started({ isTTY });
      progress.stop();
      expect(writes.join('')).toBe('');
    }
  });
});

test.each([true, false])('with --quiet nothing is written (terminal: %s)', (isTTY) => {
  const { progress, writes } = started({ isTTY, quiet: true });
  progress.note('REHEARSAL: no money moves');
  progress.update(EVERYTHING);
  progress.stop();
  expect(writes).toEqual([]);
});

describe('rate and time left', () => {
  const paceAfter = (ms: number, from: ProgressSnapshot, to: ProgressSnapshot) => {
    const { progress, writes, later } = started({ isTTY: true });
    progress.update(from);
    later(ms).update(to);
    return screenOf(writes, 80).lines[1];
  };

  test.each([
    [500, 'nothing, before one second is over', ''],
    [1_000, 'of what waits to be sent', ' · 100/s · about 9 s left'],
    [10_000, 'in minutes', ' · 10/s · about 2 min left'],
    [12_500, 'with a decimal below ten', ' · 8.0/s · about 2 min left'],
  ])('after %i ms: %s', (ms, _what, tail) => {
    expect(paceAfter(ms, submitted(0), submitted(100))).toBe(`100 of 1,000 sent${tail}`);
  });

  test('once all are sent, of what is not final', () => {
    const state = (completed: number): ProgressSnapshot => ({
      phase: 'waiting',
      counts: { ...NOTHING, completed, accepted: 1_000 - completed },
      total: 1_000,
      sent: 1_000,
    });
    expect(paceAfter(2_000, state(100), state(101))).toContain(' · 0.5/s · about 30 min left');
  });

  test('of hours', () => {
    expect(paceAfter(10_000, submitted(0), submitted(1))).toContain(' · 0.1/s · about 2 h 47 min left');
  });

  test('is about the last fifteen seconds', () => {
    const { progress, writes, later } = started({ isTTY: true });
    progress.update(submitted(0));
    for (let at = 1; at <= 10; at++) later(1_000).update(submitted(at * 50));
    for (let at = 1; at <= 20; at++) later(1_000).update(submitted(500 + at));
    expect(screenOf(writes, 80).lines[1]).toBe('520 of 1,000 sent · 1.0/s · about 8 min left');
  });

  test('begins anew with each phase', () => {
    const { progress, writes, later } = started({ isTTY: true });
    progress.update(submitted(0, 'preparing_payees'));
    later(10_000).update(submitted(1, 'submitting'));
    expect(screenOf(writes, 80).lines[1]).toBe('1 of 1,000 sent');
    later(1_000).update(submitted(101, 'submitting'));
    expect(screenOf(writes, 80).lines[1]).toBe('101 of 1,000 sent · 100/s · about 9 s left');
  });
});
