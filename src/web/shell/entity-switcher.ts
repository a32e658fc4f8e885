import type { Entity } from '../../app/people/entities.ts';
import { t } from '../../messages/translate.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';
import { hiddenField } from './parts.ts';

/** Which entity the lists are narrowed to; nothing where there is one. `next`: the page to come back to. */
export function entitySwitcher(entities: readonly Entity[], chosen: string | null, next: string): Html | null {
  if (entities.length < 2) return null;
  const name = entities.find(({ id }) => id === chosen)?.name ?? t`All entities`;
  const item = (id: string, words: string) =>
    html`<li><button class="quiet" name="entity" value="${id}"${id === (chosen ?? '') && html` aria-pressed="true"`}>${words}</button></li>`;
  return html`<details class="entity"><summary title="${name}"><span class="monogram" aria-hidden="true">${chosen === null ? icon('overview') : [...name][0]?.toUpperCase()}</span><div class="named"><span class="hidden">Entity: </span>${name}</div></summary>
<form method="post" action="/entity">${hiddenField('next', next)}<ul>${item('', t`All entities`)}${entities.map((one) => item(one.id, one.name))}</ul></form></details>`;
}
