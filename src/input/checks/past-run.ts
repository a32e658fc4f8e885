import { isoUtc } from '../../domain/time.ts';

/** A run of the past. `at` is Unix milliseconds. */
export type PastRun = {
  id: string;
  at: number;
  isRehearsal: boolean;
  header: readonly string[];
  isFinished: boolean;
};

/** `run R20261125-7K3M9QZ2 of 2026-11-25`, and whether it was a rehearsal. */
export function runText({ id, at, isRehearsal }: Pick<PastRun, 'id' | 'at' | 'isRehearsal'>): string {
  return `run ${id} of ${isoUtc(at).slice(0, 10)}${isRehearsal ? ', a rehearsal' : ''}`;
}
