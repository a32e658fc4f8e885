import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { isoUtc } from '../../domain/time.ts';
import { htmlText } from '../../report/html/html-text.ts';

/** A stranger's text: escaped, and without marks by which it could look like another. */
export function safe(text: string): HtmlEscapedString {
  return raw(htmlText(text));
}

/** A time (Unix ms) as people compare it with their clock: `2026-11-25 09:00:03 UTC`. */
export function moment(at: number) {
  const iso = isoUtc(at);
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}
