/**
 * The response header by which the shipped service identifies itself (`true`). Only it decides whether a run is called a
 * rehearsal: an address does not, because a proxy on loopback can lead to real money.
 */
export const REHEARSAL_HEADER = 'x-payrun-rehearsal';

/**
 * The response header by which the shipped service reports, of a change that it refused, that the request's nonce is used up
 * (`used`): no other copy of the request took effect, or can. Additive: other services do not send it.
 */
export const NONCE_HEADER = 'x-payrun-nonce';
export const NONCE_USED = 'used';
