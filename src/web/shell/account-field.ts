import { html } from 'hono/html';
import type { Html } from '../web.ts';

/** Tells a password manager whose password a form is about. Nobody sees it, and nothing reads it. */
export function accountField(name: string): Html {
  return html`<input class="hidden" name="username" autocomplete="username" value="${name}" readonly tabindex="-1" aria-hidden="true">`;
}
