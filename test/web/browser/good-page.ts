import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const WIDE = { width: 1440, height: 900 };
/** A small phone. */
const NARROW = { width: 360, height: 740 };
/** As it is published for pages: half as much to read as what the module of that name gives. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Nothing is loaded once more for it: no rule that is on reads style sheets, and no page plays anything. */
const ASK_AXE = "axe.run(document, { resultTypes: ['violations'], preload: false })";
/** How wide the page is, and what stands out of the window. */
const ASK_WIDTH = `({
  width: document.documentElement.scrollWidth,
  wide: [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth)
    .map((element) => element.cloneNode().outerHTML),
})`;
/** What names the page and leads past its navigation; and what scrolls sideways without a sign of it. */
const ASK_PARTS = `({
  headings: document.querySelectorAll('h1').length,
  isNamed: /^[^·]+ · (?:LIVE|TEST|LIVE and TEST) · payrun$/.test(document.title),
  language: document.documentElement.lang,
  skip: document.querySelector('body > a')?.getAttribute('href'),
  players: document.querySelectorAll('audio, video').length,
  unsigned: [...document.querySelectorAll('body *')]
    .filter((element) => element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX))
    .filter((element) => !element.closest('nav, pre') && !getComputedStyle(element).backgroundImage.includes('gradient'))
    .map((element) => element.cloneNode().outerHTML),
})`;
const PARTS = { headings: 1, isNamed: true, language: 'en', skip: '#main', players: 0, unsigned: [] };

/**
 * What every page keeps, wide and light as narrow and dark: axe-core finds nothing, not even something small, nothing has to
 * be scrolled sideways but tables that show it, and the page has what leads through it. It is wide and light afterwards.
 */
export async function expectGoodPage(page: Page): Promise<void> {
  // A page that a click has opened may have come in part.
  await page.waitForLoadState();
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE);
  await page.setViewportSize(NARROW);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNothingFound(page, 'narrow and dark');
  const { width, wide } = await page.evaluate<{ width: number; wide: string[] }>(ASK_WIDTH);
  expect(width, `${page.url()}: the width of the page on a phone: ${wide}`).toBeLessThanOrEqual(NARROW.width);
  expect(await page.evaluate(ASK_PARTS), page.url()).toEqual(PARTS);
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNothingFound(page, 'wide and light');
}

async function expectNothingFound(page: Page, how: string): Promise<void> {
  const { violations } = await page.evaluate<AxeResults>(ASK_AXE);
  const told = violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
  expect(told, `${page.url()}, ${how}`).toEqual([]);
}
