import { hostname, userInfo } from 'node:os';
import { actorOnPage } from '../app/actor.ts';
import type { Actor } from '../domain/entry.ts';

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

/** Who performs a command; with `person`, the person of the page who has it performed. */
export function actorHere(person: string | null = null): Actor {
  return actorOnPage(personHere(), person);
}
