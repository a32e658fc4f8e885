/** What the run is doing, for people. */
export type Phase =
  | 'settling doubts'
  | 'looking at the service'
  | 'preparing payees'
  | 'first payout'
  | 'submitting'
  | 'waiting'
  | 'checking what was sent'
  | 'done';
