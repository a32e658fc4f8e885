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

/** The person of the page who performs it; nothing where there is none. */
export function namedOnPage(name: string | null | undefined): OnPage {
  const person = pagePerson.safeParse(name).data ?? '';
  return person === '' ? {} : { page_person: person };
}

/** The account that performs an act, with the person of the page. */
export function actorOnPage(account: string, name: string | null): Actor {
  return { by: account, ...namedOnPage(name) };
}
