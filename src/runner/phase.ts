/** What the run is doing, for people. */
export type Phase =
  | 'checking the journal'
  | 'checking the service for earlier payments'
  | 'preparing payees'
  | 'first payout'
  | 'submitting'
  | 'waiting'
  | 'checking what was sent'
  | 'done';
