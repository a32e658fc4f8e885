import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import type { Failure } from '../shell/parts.ts';
import type { WebContext } from '../web.ts';

type Section = 'Connections' | 'Entities' | 'Sign-in';

const FOR_ALL: readonly (readonly [label: Section, path: string])[] = [
  ['Connections', '/settings/connections'],
  ['Entities', '/settings/entities'],
  ['Sign-in', '/settings/sign-in'],
];

const YOURS: readonly (readonly [label: string, path: string])[] = [
  ['Notices', '/me/notices'],
  ['API tokens', '/me/tokens'],
  ['Password and passkeys', '/me'],
];

/** A page of what an administrator sets for everybody, beside the list of all of it and of what is one's own. */
export function answerSettings(
  context: WebContext,
  here: Section,
  body: Html,
  status: 200 | Failure['status'] = 200,
): Promise<Response> {
  const item = ([label, path]: readonly [string, string]) =>
    html`<li><a href="${path}"${label === here && html` aria-current="page"`}>${label}</a></li>`;
  const page = html`<h1>Settings</h1>
<div class="settings"><nav aria-label="Settings"><h2 class="small" id="for-all">For everybody</h2><ul aria-labelledby="for-all">${FOR_ALL.map(item)}</ul>
<h2 class="small" id="yours">Yours</h2><ul aria-labelledby="yours">${YOURS.map(item)}</ul></nav>
<div class="stack">${body}</div></div>`;
  return answer(context, { title: `Settings: ${here}`, here: 'settings', body: page }, status);
}
