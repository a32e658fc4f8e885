import type { Sight } from '../../app/people/sight.ts';
import type { FollowedRun } from '../runs/followed-run.ts';
import type { Caller } from './operation.ts';
import { ApiProblem } from './problem.ts';

/** For whom something is read: a person who asks by a token, or to whom events are posted. */
export type Asking = Pick<Caller, 'web' | 'person'>;

/** A run or plan that the person sees something of. Throws an `ApiProblem` as where there is none. */
export async function seenRun({ web, person }: Asking, id: string): Promise<{ followed: FollowedRun; sight: Sight }> {
  const followed = await web.runs.read(id);
  const sight = web.sight.of(person).ofRun(followed?.run.header ?? null);
  if (followed === null || sight.sees === 'nothing') throw new ApiProblem('not_found', 'Run not found.');
  return { followed, sight };
}
