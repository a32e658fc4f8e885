import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Counts } from '../../src/domain/entry.ts';
import { htmlText } from '../../src/report/html/html-parts.ts';
import { LOOK_CSS } from '../../src/report/html/look.ts';
import {
  outcomeLegend,
  outcomePicture,
  PICTURES_CSS,
  type ProgressPoint,
  progressPicture,
} from '../../src/report/html/pictures.ts';

const NONE: Counts = { completed: 0, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };
const T = 1_795_597_200_000;

const anyCounts: fc.Arbitrary<Counts> = fc.record({
  completed: fc.nat(200_000),
  failed: fc.nat(200_000),
  rejected: fc.nat(200_000),
  unresolved: fc.nat(200_000),
  not_submitted: fc.nat(200_000),
});

/** Where each outcome begins in the bar and how wide it is, in percent. */
function segments(svg: string): { status: string; x: number; width: number }[] {
  return Array.from(svg.matchAll(/<rect class="(\w+)" x="([\d.]+)%" y="0" width="([\d.]+)%"/g), (found) => ({
    status: found[1] ?? '',
    x: Number(found[2]),
    width: Number(found[3]),
  }));
}

describe('the picture of outcomes', () => {
  test('gives each outcome its share, in one order', () => {
    const svg = outcomePicture({ ...NONE, completed: 50, failed: 25, unresolved: 25 });
    expect(segments(svg)).toEqual([
      { status: 'completed', x: 0, width: 50 },
      { status: 'failed', x: 50, width: 25 },
      { status: 'unresolved', x: 75, width: 25 },
    ]);
  });

  test('fills the whole bar, shows whatever there is, and nothing that there is not', () => {
    fc.assert(
      fc.property(anyCounts, (counts) => {
        const found = segments(outcomePicture(counts));
        expect(found.map(({ status }) => status)).toEqual(
          Object.entries(counts).flatMap(([status, count]) => (count > 0 ? [status] : [])),
        );
        let end = 0;
        for (const { x, width } of found) {
          expect(x).toBeCloseTo(end, 5);
          expect(width).toBeGreaterThanOrEqual(0.8);
          end = x + width;
        }
        if (found.length > 0) expect(end).toBeCloseTo(100, 5);
      }),
    );
  });

  test('shows one that is unresolved among a hundred thousand', () => {
    const [, unresolved] = segments(outcomePicture({ ...NONE, completed: 99_999, unresolved: 1 }));
    expect(unresolved).toMatchObject({ status: 'unresolved', width: 0.8 });
  });

  test('says the same in words, to whoever does not see it', () => {
    const svg = outcomePicture({ ...NONE, completed: 1_200, not_submitted: 3 }, { id: 'run' });
    expect(svg).toContain('role="img" aria-labelledby="run-title run-text"');
    expect(svg).toContain('<title id="run-title">Outcomes</title>');
    expect(svg).toContain('<desc id="run-text">Of 1,203 payouts: 1,200 completed, 3 not submitted.</desc>');
  });

  test('has its figures beside it', () => {
    expect(outcomeLegend({ ...NONE, failed: 1_200 })).toBe(
      '<dl class="legend"><div><dt class="completed">completed</dt><dd>0</dd></div><div><dt class="failed">failed</dt><dd>1,200</dd></div></dl>',
    );
  });
});

describe('the picture of progress', () => {
  const points: ProgressPoint[] = [
    { at: T, sent: 1, finished: 0 },
    { at: T + 30_000, sent: 4, finished: 1 },
    { at: T + 60_000, sent: 4, finished: 4 },
  ];

  test('draws what was sent and what was finished, from its begin to its end', () => {
    const svg = progressPicture(points, 4);
    expect(svg).toContain('<path class="finished" d="M0 100H0V100H500V75H1000V0H1000"');
    expect(svg).toContain('<path class="sent" d="M0 100H0V75H500V0H1000V0H1000"');
    expect(svg.match(/>09:0[01]:\d\d</g)).toEqual(['>09:00:00<', '>09:00:30<', '>09:01:00<']);
  });

  test('says the same in words', () => {
    expect(progressPicture(points, 4)).toContain(
      '<desc id="progress-text">4 sent and 4 finished of 4, from 2026-11-25 09:00:00 UTC to 2026-11-25 09:01:00 UTC.</desc>',
    );
  });

  test('of one moment has one time; of nothing there is none', () => {
    expect(progressPicture([{ at: T, sent: 1, finished: 1 }], 1).match(/>09:00:00.000</g)).toHaveLength(1);
    expect(progressPicture([], 5)).toBe('');
  });
});

describe('both pictures', () => {
  const both = [
    outcomePicture({ ...NONE, completed: 5, rejected: 2, unresolved: 1 }),
    progressPicture([{ at: T, sent: 1, finished: 1 }], 1),
  ].join('');

  test('bring no style, script or address that a strict content security policy would stop', () => {
    expect(both).not.toMatch(/style=|<style|<script|href|\son\w+=|https?:/);
  });

  test('have classes that the style sheet knows', () => {
    const css = LOOK_CSS + PICTURES_CSS;
    const classes = Array.from(both.matchAll(/class="(\w+)"/g), (found) => found[1] ?? '');
    expect(classes.filter((name) => !css.includes(`.${name}`))).toEqual([]);
  });
});

describe('text in HTML', () => {
  test.each([
    ['<b>&"\'', '&lt;b&gt;&amp;&quot;&#39;'],
    ['plain 1.50 AUD', 'plain 1.50 AUD'],
    ['•••• 5678', '•••• 5678'],
    ['Zoë 李', 'Zoë 李'],
    ['a\u202Eb', 'a\uFFFDb'],
    ['a\0b\u0085', 'a\uFFFDb\uFFFD'],
    ['a\tb\r\nc', 'a\tb\r\nc'],
    ['\uD800', '\uFFFD'],
  ])('%j is %j', (text, html) => {
    expect(htmlText(text)).toBe(html);
  });

  test('is never markup, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(htmlText(text)).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      }),
    );
  });
});
