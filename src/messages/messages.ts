import type { Catalogue } from './catalogue.ts';
import { ENGLISH } from './english.ts';

/** The words that people read, in the language of the viewer. Everything outside of this folder takes them from here. */
export const messages: Catalogue = ENGLISH;
