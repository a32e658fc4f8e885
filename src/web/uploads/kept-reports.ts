import { existsSync, readdirSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Web } from '../web.ts';

type Of = Pick<Web, 'deps' | 'store'>;

/** Where the reports are that people of the page took: they are made again for whoever asks later. */
export function reportsFolder({ store }: Pick<Web, 'store'>): string {
  return join(store.folder, 'reports');
}

/** Notes that somebody asked for it now. */
export function noteAsked({ deps }: Pick<Web, 'deps'>, path: string): void {
  const now = deps.clock.wallMs() / 1_000;
  utimesSync(path, now, now);
}

/** Removes the reports that nobody asked for since, with what a command left of one when it was killed. */
export function removeOldReports(web: Of, sinceMs: number): void {
  const folder = reportsFolder(web);
  if (!existsSync(folder)) return;
  for (const run of readdirSync(folder)) {
    const ofRun = join(folder, run);
    try {
      for (const name of readdirSync(ofRun)) {
        const path = join(ofRun, name);
        if (statSync(path).mtimeMs <= sinceMs) rmSync(path, { recursive: true, force: true });
      }
      if (readdirSync(ofRun).length === 0) rmdirSync(ofRun);
    } catch (error) {
      web.deps.log.warn({ error, run }, 'old reports of a run could not be removed');
    }
  }
}
