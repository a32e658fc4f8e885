import { html } from 'hono/html';
import type { Html } from '../web.ts';
import { safe } from './safe-text.ts';

/** Which approvers came in by a link of whoever made the plan: see `ownLinks`. */
export function ownLinksPart(links: readonly string[]): Html | '' {
  if (links.length === 0) return '';
  return html`<div class="notice care">${links.map((words) => html`<p>${safe(words)}</p>`)}
<p>Be sure that it was the approver who opened it: ask them.</p></div>`;
}
