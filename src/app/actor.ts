import { z } from 'zod';
import type { Actor, OnPage } from '../domain/entry.ts';

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

/** Whom the page names as who does it; nothing where it names nobody. */
export function namedOnPage(name: string | null | undefined): OnPage {
  const person = pagePerson.safeParse(name).data ?? '';
  return person === '' ? {} : { page_person: person };
}

/** The account under which something is done, with whom the page names. */
export function actorOnPage(account: string, name: string | null): Actor {
  return { by: account, ...namedOnPage(name) };
}
