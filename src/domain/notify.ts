/** What people can be told of. `planned`: a plan waits for approvals. `failed`: refused, or payouts that were not paid. */
export const NOTIFY_EVENTS = ['planned', 'finished', 'failed', 'doubts'] as const;

export type NotifyEvent = (typeof NOTIFY_EVENTS)[number];

/** One address of RFC 5321, and the name that is shown beside it. */
export type Mailbox = { name: string | null; address: string };

/**
 * Who is told of a run, and how, as its job said when the run was made. Secrets are named (`env:NAME`, or `file:` and a
 * whole path) and never kept.
 */
export type NotifySettings = {
  on: NotifyEvent[];
  email: { to: string[]; from: Mailbox; smtp: string } | null;
  webhook: { url: string; secret: string } | null;
  /** Null where payees are told nothing. */
  remittance: RemittanceSettings | null;
};

export type RemittanceSettings = {
  /** With placeholders (`remittance-template.ts`). */
  subject: string;
  body: string;
  company: string | null;
  from: Mailbox;
  smtp: string;
};

/** What happens to a run around the people who are told of it. None of it changes a payout. */
export type NotifyEntry =
  | { kind: 'notify'; notify: NotifySettings }
  /** People are about to be told. `of` is a digest of what: the same is not told again. */
  | { kind: 'notified'; event: NotifyEvent; of: string }
  /** The payee's advice is about to be handed to the mail server. From here on it is never sent again. */
  | { kind: 'remittance'; row: number }
  /** The mail server has taken it. */
  | { kind: 'remittance_sent'; row: number }
  /** The mail server has refused it, in its own words. */
  | { kind: 'remittance_refused'; row: number; reason: string };

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

const KINDS: Readonly<Record<NotifyEntry['kind'], true>> = {
  notify: true,
  notified: true,
  remittance: true,
  remittance_sent: true,
  remittance_refused: true,
};

export function isNotifyEntry(entry: { kind: string }): entry is NotifyEntry {
  return Object.hasOwn(KINDS, entry.kind);
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
