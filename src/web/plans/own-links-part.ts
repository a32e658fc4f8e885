import { html } from 'hono/html';
import { safe } from '../shell/safe-text.ts';
import type { Html } from '../web.ts';
import type { OwnLink } from './own-links.ts';

/** Which approvers came in by a link of whoever made the plan: see `ownLinks`. */
export function ownLinksPart(links: readonly OwnLink[]): Html | '' {
  if (links.length === 0) return '';
  const others = links.some(({ isViewer }) => !isViewer);
  return html`<div class="notice care">${links.map(({ words }) => html`<p>${safe(words)}</p>`)}
${others ? html`<p>Be sure that it was the approver who opened it: ask them.</p>` : html`<p>Approve it only where you have looked at it yourself.</p>`}</div>`;
}
