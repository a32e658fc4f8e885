import { listed } from '../../messages/text.ts';
import { plural, t } from '../../messages/translate.ts';
import type { PageModes } from '../page-modes.ts';
import { type Html, html } from './html.ts';
import { MODES } from './mode.ts';
import { hiddenField } from './parts.ts';

/** If there are more, only their number is shown. */
const NAMES_MAX = 2;

/** Their names, without rehearsals, which the mode already names. */
export function connectionsText({ connections }: Pick<PageModes, 'connections'>): string | null {
  const names = [...new Set(connections.filter(({ kept, isRehearsal }) => kept !== null || isRehearsal !== true))].map(
    ({ name }) => name,
  );
  if (names.length === 0) return null;
  return names.length > NAMES_MAX ? String(plural(names.length, '# connection', '# connections')) : listed(names);
}

/** Buttons that switch lists to the other mode or to both. `next`: the page to return to. */
export function modeSwitch({ chosen, choices }: PageModes, next: string): Html | null {
  if (choices.length === 0) return null;
  const button = (value: string, words: string, means: string) =>
    html`<button class="quiet" name="mode" value="${value}" title="${means}">${words}</button>`;
  const buttons = choices.map((mode) => {
    const { word } = MODES[mode];
    return button(
      mode,
      t`Switch to ${word}`,
      t`Lists show ${word} payments only, and a new payment starts in ${word}.`,
    );
  });
  const both = chosen !== null && button('', t`Show both`, t`Lists show LIVE and TEST payments.`);
  return html`<form class="switch" method="post" action="/mode">${hiddenField('next', next)}${buttons}${both}</form>`;
}

/** Shown beside the mode if the person filtered the lists by it. */
export function narrowedText({ chosen }: PageModes): string | null {
  return chosen && t`Lists show ${MODES[chosen].word} payments only`;
}
