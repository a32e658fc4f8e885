import { type Html, html } from './html.ts';

/** The places of the navigation, each with an icon. */
export type PlaceName =
  | 'overview'
  | 'payments'
  | 'approvals'
  | 'recipients'
  | 'schedules'
  | 'reports'
  | 'team'
  | 'activity'
  | 'settings';

/** The icons in `static/icons.svg`. */
export type IconName =
  | PlaceName
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
  | 'columns'
  | 'download'
  | 'sign-out';

/** A picture beside words that say the same. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" aria-hidden="true"><use href="/static/icons.svg#${name}"/></svg>`;
}

/** The button on lists of payments, for people who may prepare one. */
export function newPaymentLink(): Html {
  return html`<a class="button primary" href="/uploads/new">${icon('plus')}New payment</a>`;
}
