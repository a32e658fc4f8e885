/** Where the payout goes: what `ensure` found or made. */
export type Destination = { external_account_id: string; recipient_id: string | null };
