import process from 'node:process';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, expect, onTestFinished, type TestAPI, test } from 'vitest';
import { hasChromium, launchChromium } from './chromium.ts';

/** `test` where there is a Chromium. Else it is skipped, and said; with NEEDS_CHROMIUM set, as in `.ci/run`, it is red. */
export const browserTest: TestAPI = !hasChromium && process.env.NEEDS_CHROMIUM === undefined ? skipped() : test;

function skipped(): TestAPI {
  process.stderr.write(
    'SKIPPED: no Chromium, so nobody has tried the page. Debian: apt-get install chromium-headless-shell\n',
  );
  return test.skip as TestAPI;
}

/** For whatever a page has to show or a person can do: a busy machine takes many times as long as a quiet one. */
const PATIENCE_MS = 120_000;

/** Somebody at a browser of their own. */
export type Visitor = {
  context: BrowserContext;
  page: Page;
  /** Opens the path of the page for finance. */
  open(path: string): Promise<void>;
  /** What it asked for and was answered by something else than a document, and what it said of that, is expected. */
  mayMeet(text: RegExp): void;
};

export type Chromium = {
  /**
   * A new browser, with nothing kept, at the page whose origin this is. Whoever is at it wants nothing to move, unless
   * `options` say otherwise: each picture of a bar that moves is drawn.
   */
  visitor(origin: string, options?: BrowserContextOptions): Promise<Visitor>;
};

/**
 * One browser for the tests of a file, called at its top. A test fails where a page of it says an error, breaks its
 * content security policy, or asks another host for anything.
 */
export function useChromium(): Chromium {
  let launched: Promise<Browser> | null = null;
  const troubles: string[] = [];
  afterEach(() => expect(troubles.splice(0)).toEqual([]));
  afterAll(async () => (await launched)?.close());
  return {
    async visitor(origin, options = {}) {
      launched ??= launchChromium();
      const context = await (await launched).newContext({ baseURL: origin, reducedMotion: 'reduce', ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      onTestFinished(async ({ task }) => {
        if (task.result?.state === 'fail') for (const page of context.pages()) await tellOf(page);
        await context.close();
      });
      const expected: RegExp[] = [];
      await watchFor(context, origin, (trouble) => {
        if (!expected.some((text) => text.test(trouble))) troubles.push(trouble);
      });
      const page = await context.newPage();
      return {
        context,
        page,
        open: async (path) => void (await page.goto(path)),
        mayMeet: (text) => void expected.push(text),
      };
    },
  };
}

/** What somebody saw when the test failed. */
async function tellOf(page: Page): Promise<void> {
  const text = await page
    .locator('main')
    .innerText({ timeout: 5_000 })
    .catch(() => 'nothing');
  process.stderr.write(`\n${page.url()} showed:\n${text.slice(0, 3_000)}\n`);
}

async function watchFor(context: BrowserContext, origin: string, tell: (trouble: string) => void): Promise<void> {
  const documents = new Set<string>();
  context.on('console', (message) => {
    const { url } = message.location();
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // A form that is shown again with what is wrong in it: 422, 409, 429, as documents.
    if (message.text().startsWith('Failed to load resource') && documents.has(url)) return;
    tell(`${message.type()} at ${message.page()?.url()}: ${message.text()} (${url})`);
  });
  context.on('weberror', (error) => tell(`page error: ${error.error().stack}`));
  context.on('request', (request) => {
    if (request.isNavigationRequest()) documents.add(request.url());
    const { protocol } = new URL(request.url());
    if (request.url().startsWith(`${origin}/`) || protocol === 'blob:' || request.url() === 'about:blank') return;
    tell(`asked another host: ${request.method()} ${request.url()}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 500) tell(`${response.status()} of ${response.request().method()} ${response.url()}`);
  });
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    console.error('content security policy: ' + event.violatedDirective + ' ' + event.blockedURI))`);
}
