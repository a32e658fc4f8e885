/**
 * The response header by which the shipped service says what it is (`true`). Only it decides whether a run is called a
 * rehearsal: an address does not, because real money can be reached through a proxy on loopback.
 */
export const REHEARSAL_HEADER = 'x-payrun-rehearsal';
