/** What is wrong with a template of signatures. `header`: the header at fault; null where it is the message to sign. */
export type SigningFault =
  | { why: 'always_the_same' | 'no_signature' }
  | { why: 'too_many_headers'; max: number }
  | { why: 'no_header_name' | 'transport_header' | 'header_twice' | 'unprintable_header'; header: string }
  | { why: 'too_long'; header: string | null; max: number }
  | { why: 'single_brace'; header: string | null; brace: string }
  | { why: 'unknown_placeholder'; header: string | null; placeholder: string; allowed: readonly string[] };

/** Why the requests of a client cannot be signed. */
export type SigningReason = ({ code: 'signing_template' } & SigningFault) | { code: 'key_id_unusable' };
