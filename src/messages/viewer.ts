import { AsyncLocalStorage } from 'node:async_hooks';
import { onFirstUse } from '../domain/lazy/on-first-use.ts';

/** The languages, as HTML names them (BCP 47), each by its own name. */
export const LANGUAGE_NAMES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
} as const;

export type Language = keyof typeof LANGUAGE_NAMES;

/**
 * The reader of an answer, an email or a report: their language and their IANA time zone. `nowMs`: when they read it
 * (Unix ms); absent for text that is kept. `sees`: whether they may see the run with this ID; absent if they may see
 * every run.
 */
export type Viewer = { language: Language; timeZone: string; nowMs?: number; sees?: (runId: string) => boolean };

/** Who reads what is written for nobody in particular: the command line, programs, records that are kept. */
export const ANYBODY: Viewer = { language: 'en', timeZone: 'UTC' };

const VIEWERS = new AsyncLocalStorage<Viewer>();

/** The reader we write for now. */
export function viewer(): Viewer {
  return VIEWERS.getStore() ?? ANYBODY;
}

/** Whether the reader may see the run with this ID. Text about other runs says what happened, not where. */
export function seesRun(runId: string): boolean {
  return viewer().sees?.(runId) ?? true;
}

/** Does the work, and all that it begins, for this viewer. */
export function asViewer<Result>(viewer: Viewer, work: () => Result): Result {
  return VIEWERS.run(viewer, work);
}

/** The time zones that people can choose, by their IANA names, UTC first. */
export const timeZones = onFirstUse(() => new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]));

/** Whether it is one of those. */
export function isTimeZone(text: string): boolean {
  return timeZones().has(text);
}
