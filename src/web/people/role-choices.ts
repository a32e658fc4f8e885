import { isRole, type Role } from '../../app/people/grants.ts';
import { texts } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { choice } from '../shell/parts.ts';
import { ROLE_WORDS } from './access-words.ts';

/** The roles that are ticked in a form. */
export const roles = texts.transform((all) => all.filter(isRole));

/** Boxes for some roles, with what each of them may do. */
export function roleChoices(legend: string, roles: readonly Role[], chosen: readonly Role[]): Html {
  const choices = roles.map((role) => {
    const { label, means } = ROLE_WORDS[role];
    return choice('role', role, html`${label} <span class="soft">${means}</span>`, { isTicked: chosen.includes(role) });
  });
  return html`<fieldset class="explained"><legend>${legend}</legend>${choices}</fieldset>`;
}
