import { type Html, html } from './html.ts';

/** The symbols of `static/icons.svg`. */
export type IconName =
  | 'overview'
  | 'payments'
  | 'approvals'
  | 'recipients'
  | 'schedules'
  | 'reports'
  | 'team'
  | 'activity'
  | 'settings'
  | 'notices'
  | 'check'
  | 'decide'
  | 'failed'
  | 'returned'
  | 'stopped'
  | 'draft'
  | 'clock'
  | 'start'
  | 'search'
  | 'plus'
  | 'more'
  | 'live'
  | 'test'
  | 'unknown'
  | 'error'
  | 'warning'
  | 'undo'
  | 'redo'
  | 'fill'
  | 'add'
  | 'delete'
  | 'download';

/** A picture beside words that say the same. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" aria-hidden="true"><use href="/static/icons.svg#${name}"/></svg>`;
}
