import { t } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import type { Failure } from '../shell/parts.ts';
import type { WebContext } from '../web.ts';

type Section = 'connections' | 'entities' | 'sign-in';

type Link = { label: string; path: string };

const forAll = (): Readonly<Record<Section, Link>> => ({
  connections: { label: t`Connections`, path: '/settings/connections' },
  entities: { label: t`Entities`, path: '/settings/entities' },
  'sign-in': { label: t`Sign-in`, path: '/settings/sign-in' },
});

const yours = (): readonly Link[] => [
  { label: t`Notices`, path: '/me/notices' },
  { label: t`API tokens`, path: '/me/tokens' },
  { label: t`Password and passkeys`, path: '/me' },
];

/** A page of what an administrator sets for everybody, beside the list of all of it and of what is one's own. */
export function answerSettings(
  context: WebContext,
  here: Section,
  body: Html,
  status: 200 | Failure['status'] = 200,
): Promise<Response> {
  const all = forAll();
  const item = ({ label, path }: Link) =>
    html`<li><a href="${path}"${path === all[here].path && html` aria-current="page"`}>${label}</a></li>`;
  const page = html`<h1>Settings</h1>
<div class="settings"><nav aria-label="Settings"><h2 class="small" id="for-all">For everyone</h2><ul aria-labelledby="for-all">${Object.values(all).map(item)}</ul>
<h2 class="small" id="yours">Yours</h2><ul aria-labelledby="yours">${yours().map(item)}</ul></nav>
<div class="stack">${body}</div></div>`;
  return answer(context, { title: t`Settings: ${all[here].label}`, here: 'settings', body: page }, status);
}
