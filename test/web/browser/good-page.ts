import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const WIDE = { width: 1440, height: 900 };
/** A small phone. */
const NARROW = { width: 360, height: 740 };
const ASK_AXE = "axe.run(document, { resultTypes: ['violations'] })";
/** How wide the page is, and what stands out of the window. */
const ASK_WIDTH = `({
  width: document.documentElement.scrollWidth,
  wide: [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth)
    .map((element) => element.cloneNode().outerHTML),
})`;

/**
 * What every page keeps, wide and light as narrow and dark: axe-core finds nothing serious or critical, and nothing has to
 * be scrolled sideways. The page is wide and light afterwards.
 */
export async function expectGoodPage(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  await page.setViewportSize(NARROW);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNothingSerious(page, 'narrow and dark');
  const { width, wide } = await page.evaluate<{ width: number; wide: string[] }>(ASK_WIDTH);
  expect(width, `${page.url()}: the width of the page on a phone: ${wide}`).toBeLessThanOrEqual(NARROW.width);
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNothingSerious(page, 'wide and light');
}

async function expectNothingSerious(page: Page, how: string): Promise<void> {
  const { violations } = await page.evaluate<AxeResults>(ASK_AXE);
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = serious.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
  expect(told, `${page.url()}, ${how}`).toEqual([]);
}
