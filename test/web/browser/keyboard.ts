import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** More than the stops of any page of ours. */
const STOPS_MAX = 150;

/** Goes on with the Tab key until this has the focus, and is seen to have it. Fails where it never comes to it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < STOPS_MAX; stops++) {
    await page.keyboard.press('Tab');
    if (!(await target.evaluate((element) => element.matches(':focus')))) continue;
    const outline = await target.evaluate((element) => String(element.computedStyleMap().get('outline-style')));
    expect(outline, `the mark of the focus at ${target}`).not.toBe('none');
    return;
  }
  throw new Error(`the Tab key never comes to ${target}`);
}

/** Types into a field that the Tab key comes to. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

/** Presses Enter on a link or button that the Tab key comes to. */
export async function enterOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}
