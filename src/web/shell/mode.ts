import { messages } from '../../messages/messages.ts';
import { textTable } from '../../messages/translate.ts';
import { type Html, html } from './html.ts';
import { type IconName, icon } from './icon.ts';

/** Whether money moves: for real, not at all, some of both; or nobody knows yet. */
export type Mode = 'live' | 'test' | 'both' | 'unknown';

/** As a word, a colour and an icon on every page, as a word in its title, and as the colour and form of the icon of its tab. */
export const MODES = textTable(
  {
    live: { word: 'LIVE', means: 'Real money moves', icon: 'live', favicon: 'icon.svg' },
    test: {
      word: 'TEST',
      get means() {
        return messages.outcomes.rehearsalBand();
      },
      icon: 'test',
      favicon: 'icon-test.svg',
    },
    both: {
      word: 'LIVE and TEST',
      means: 'Each payment shows whether real money moves',
      icon: 'live',
      favicon: 'icon.svg',
    },
    unknown: {
      word: 'LIVE OR TEST',
      means: 'The service has not answered yet. Each payment shows whether it is live.',
      icon: 'unknown',
      favicon: 'icon.svg',
    },
  },
  ['icon', 'favicon'],
) satisfies Record<Mode, { word: string; means: string; icon: IconName; favicon: string }>;

export function modeOf(isRehearsal: boolean | null): Mode {
  return isRehearsal === null ? 'unknown' : isRehearsal ? 'test' : 'live';
}

/** The mode of several services together. One that nobody knows counts where all are so. */
export function modeOfAll(services: readonly { isRehearsal: boolean | null }[]): Mode {
  const modes = new Set(services.map(({ isRehearsal }) => modeOf(isRehearsal)));
  modes.delete('unknown');
  return modes.size === 2 ? 'both' : ([...modes][0] ?? 'unknown');
}

/** Beside a payment, a connection, or a button that leads to one. */
export function modeBadge(isRehearsal: boolean | null): Html {
  const mode = modeOf(isRehearsal);
  return html`<span class="mode ${mode}">${icon(MODES[mode].icon)}${MODES[mode].word}${mode === 'test' && html`<span class="hidden"> rehearsal</span>`}</span>`;
}

/**
 * The same in a list, where a row that is live is marked only beside others that are not. It is not shown on a page that is TEST as a
 * whole (`frame.css`).
 */
export function rowBadge(isRehearsal: boolean, isMixed = false): Html | null {
  return isRehearsal || isMixed ? html` <span class="each">${modeBadge(isRehearsal)}</span>` : null;
}

/** Whether a list has payments of both kinds. */
export function isMixed(rehearsals: readonly boolean[]): boolean {
  return rehearsals.includes(true) && rehearsals.includes(false);
}
