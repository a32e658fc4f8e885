import { describe, expect, test } from 'vitest';
import { COLOURS, type Colour, LOOK_CSS, OUTCOMES, statusBadge } from '../../src/report/html/look.ts';

/** WCAG 2.2, 1.4.3 and 1.4.11. */
const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;

const GROUNDS: readonly Colour[] = ['paper', 'surface', 'sunken', 'hover'];
const STATES = ['ok', 'warn', 'bad', 'idle'] as const;

const TEXTS: [Colour, Colour][] = [
  ...GROUNDS.flatMap((ground): [Colour, Colour][] => [
    ['ink', ground],
    ['ink-2', ground],
    ['ink-3', ground],
    ['accent', ground],
    ['accent-ink', ground],
    ['bad', ground],
  ]),
  ['accent-ink', 'accent-soft'],
  ['ink-2', 'accent-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['live-ink', 'live-bg'],
  ['live-quiet', 'live-bg'],
  ['test-ink', 'test-bg'],
  ['test-ink', 'test-stripe'],
  ['test-quiet', 'test-stripe'],
  ...STATES.flatMap((state): [Colour, Colour][] => [
    [state, `${state}-soft`],
    [state, 'surface'],
    ['ink', `${state}-soft`],
    ['ink-2', `${state}-soft`],
  ]),
];

/** What is not done has in bars the colour of their track, nearly: the figure beside the bar says it. */
const SHAPES: [Colour, Colour][] = [
  ['field', 'surface'],
  ['accent', 'surface'],
  ['focus', 'paper'],
  ['focus', 'surface'],
  ['ok-solid', 'surface'],
  ['warn-solid', 'surface'],
  ['bad-solid', 'surface'],
];

/** Relative luminance, WCAG 2.2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(['light', 'dark'] as const)('the colours when it is %s', (by) => {
  test.each(TEXTS)('%s can be read on %s', (text, ground) => {
    expect(contrast(COLOURS[text][by], COLOURS[ground][by])).toBeGreaterThanOrEqual(TEXT_CONTRAST);
  });

  test.each(SHAPES)('%s can be seen on %s', (shape, ground) => {
    expect(contrast(COLOURS[shape][by], COLOURS[ground][by])).toBeGreaterThanOrEqual(SHAPE_CONTRAST);
  });
});

describe('the style sheet', () => {
  test('takes nothing from elsewhere', () => {
    expect(LOOK_CSS).not.toMatch(/url\(|@import|@font-face|https?:/);
  });

  test('uses only custom properties that it defines', () => {
    const used = new Set(LOOK_CSS.match(/(?<=var\()--[\w-]+/g));
    const defined = new Set(LOOK_CSS.match(/--[\w-]+(?=:)/g));
    expect([...used].filter((name) => !defined.has(name))).toEqual([]);
  });

  test('has each outcome with its own mark, so that none is told by its colour alone', () => {
    const rules = OUTCOMES.map(({ status }) => LOOK_CSS.split(`.${status}::before{`)[1]?.split('}')[0]);
    expect(new Set(rules).size).toBe(OUTCOMES.length);
    expect(rules).not.toContain(undefined);
  });
});

test('a status says itself in words', () => {
  expect(statusBadge('not_submitted')).toBe('<span class="status not_submitted">not submitted</span>');
});
