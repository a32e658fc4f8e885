import { hostname, userInfo } from 'node:os';
import process from 'node:process';
import { namedOnPage } from '../app/actor.ts';
import type { Actor, OnPage } from '../domain/entry.ts';

/** How the page says for whom it starts a command. */
export const PAGE_PERSON = 'PAYRUN_PAGE_PERSON';

/** Who gives a word that the journal keeps, as far as this machine knows: `anna@desk-7`. */
export function personHere(): string {
  return `${accountHere()}@${hostname()}`;
}

/** The name of the account. A container may run under a number that no user has. */
export function accountHere(): string {
  try {
    return userInfo().username;
  } catch {
    return 'somebody';
  }
}

/** Whom the page names as who does it; nothing where the page did not start this. */
export function onPage(environment: NodeJS.ProcessEnv = process.env): OnPage {
  return namedOnPage(environment[PAGE_PERSON]);
}

/** The same as `personHere`, with whom the page names. For rights there is `personHere` alone. */
export function actorHere(): Actor {
  return { by: personHere(), ...onPage() };
}
