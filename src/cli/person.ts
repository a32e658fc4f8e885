import { hostname, userInfo } from 'node:os';
import process from 'node:process';
import { z } from 'zod';
import type { Actor, OnPage } from '../domain/entry.ts';

/** How the page says for whom it starts a command. */
export const PAGE_PERSON = 'PAYRUN_PAGE_PERSON';

const PERSON_MAX = 100;

/** One line without marks that could make it look like another. */
const pagePerson = z
  .string()
  .transform((text) =>
    text
      .normalize('NFC')
      .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim(),
  )
  .transform((text) => [...text].slice(0, PERSON_MAX).join(''));

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
  const person = pagePerson.safeParse(environment[PAGE_PERSON]).data ?? '';
  return person === '' ? {} : { page_person: person };
}

/** The same as `personHere`, with whom the page names. For rights there is `personHere` alone. */
export function actorHere(): Actor {
  return { by: personHere(), ...onPage() };
}
