import type { Catalogue } from './catalogue.ts';
import { ENGLISH } from './english.ts';

/** The words that people read. Everything outside of this folder takes them from here, so that one line chooses the language. */
export const messages: Catalogue = ENGLISH;
