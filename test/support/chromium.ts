import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The one without a window first: the same pages for a fifth less of the processors. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const found = PLACES.find((path) => existsSync(path)) ?? null;

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Each page is open for some seconds: what is compiled to run fast costs more than it saves, and so does one more process.
  '--js-flags=--no-turbofan --no-maglev',
  '--in-process-gpu',
  // A process for what is shown is none for what may be shown next, and is not given up for another at the next address.
  '--renderer-process-limit=1',
];

export const hasChromium = found !== null;

/** Whoever launches it closes it. */
export async function launchChromium(): Promise<Browser> {
  if (found === null)
    throw new Error(`there is no Chromium at ${PLACES.join(', ')}. Debian: apt-get install chromium-headless-shell`);
  return chromium.launch({ executablePath: found, args: ARGS });
}
