import { z } from 'zod';
import { count, text } from '../entries/members.ts';

/** What people can be notified of. `planned`: a plan waits for approvals. `failed`: refused, or payouts that were not paid. */
export const NOTIFY_EVENTS = ['planned', 'finished', 'failed', 'doubts'] as const;

const notifyEvent = z.enum(NOTIFY_EVENTS);
export type NotifyEvent = z.output<typeof notifyEvent>;

/** One address of RFC 5321, and the name that is shown beside it. */
const mailbox = z.strictObject({ name: text.nullable(), address: text });
export type Mailbox = z.output<typeof mailbox>;

const remittance = z.strictObject({
  /** With placeholders (`remittance-template.ts`). */
  subject: text,
  body: text,
  company: text.nullable(),
  from: mailbox,
  smtp: text,
});
export type RemittanceSettings = z.output<typeof remittance>;

/**
 * Who is notified of a run, and how, as its job had it when the run was made. Secrets are named (`env:NAME`, or `file:` and
 * a whole path) and never kept.
 */
const notifySettings = z.strictObject({
  on: z.array(notifyEvent),
  email: z.strictObject({ to: z.array(text), from: mailbox, smtp: text }).nullable(),
  webhook: z.strictObject({ url: text, secret: text }).nullable(),
  /** Null where payees are not notified. */
  remittance: remittance.nullable(),
});
export type NotifySettings = z.output<typeof notifySettings>;

/** What happens to a run around the people who are notified of it. None of it changes a payout. */
export const NOTIFY_ENTRIES = {
  notify: z.strictObject({ kind: z.literal('notify'), notify: notifySettings }),
  /** People are about to be notified. `of` is a digest of what: nobody is notified of the same again. */
  notified: z.strictObject({ kind: z.literal('notified'), event: notifyEvent, of: text }),
  /** The payee's advice is about to be handed to the mail server. From here on it is never sent again. */
  remittance: z.strictObject({ kind: z.literal('remittance'), row: count }),
  /** The mail server has taken it. */
  remittance_sent: z.strictObject({ kind: z.literal('remittance_sent'), row: count }),
  /** The mail server has refused it, in its own words. */
  remittance_refused: z.strictObject({ kind: z.literal('remittance_refused'), row: count, reason: text }),
};
export type NotifyEntry = z.output<(typeof NOTIFY_ENTRIES)[keyof typeof NOTIFY_ENTRIES]>;

/** `begun`: handed over, or about to be, and nothing says what became of it. */
export type Remittance = { state: 'begun' } | { state: 'sent' } | { state: 'refused'; reason: string };

/** What the journal holds of a run's notices. */
export type Notices = {
  settings: NotifySettings | null;
  last: { event: NotifyEvent; of: string } | null;
  /** By row; a row that is not here was never begun. */
  remittances: Map<number, Remittance>;
};

export function noNotices(): Notices {
  return { settings: null, last: null, remittances: new Map() };
}

export function isNotifyEntry(entry: { kind: string }): entry is NotifyEntry {
  return Object.hasOwn(NOTIFY_ENTRIES, entry.kind);
}

/** Changes `notices` in place. */
export function applyToNotices(notices: Notices, entry: NotifyEntry): void {
  switch (entry.kind) {
    case 'notify':
      notices.settings = entry.notify;
      return;
    case 'notified':
      notices.last = { event: entry.event, of: entry.of };
      return;
    case 'remittance':
      notices.remittances.set(entry.row, { state: 'begun' });
      return;
    case 'remittance_sent':
      notices.remittances.set(entry.row, { state: 'sent' });
      return;
    case 'remittance_refused':
      notices.remittances.set(entry.row, { state: 'refused', reason: entry.reason });
  }
}
