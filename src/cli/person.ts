import { hostname, userInfo } from 'node:os';

/** Who gives a word that the journal keeps, as far as this machine knows: `anna@desk-7`. */
export function personHere(): string {
  return `${userName()}@${hostname()}`;
}

/** A container may run under a number that no user has. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'somebody';
  }
}
