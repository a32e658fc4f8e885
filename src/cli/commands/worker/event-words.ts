import { dirname } from 'node:path';
import type { WorkerEvent } from '../../../app/worker/worker-event.ts';
import { ENDING_EXIT } from '../../../domain/run/ending.ts';
import { messages } from '../../../messages/messages.ts';
import type { Place } from '../../../messages/refusals/refusal-words.ts';
import { inOneLine } from '../../../messages/text.ts';
import { exitWords } from '../../exit.ts';

/** What happened in a worker, in one line. */
export function eventWords(event: WorkerEvent, place: Place): string {
  switch (event.event) {
    case 'ready':
      return 'ready for detached runs. Ctrl-C hands over and exits.';
    case 'taken':
      return `${event.runId}: taken`;
    case 'ended': {
      const exit = ENDING_EXIT[event.ending];
      const [first] = event.report;
      const report = first === undefined ? 'no report was written' : `report in ${place.near(dirname(first))}`;
      return `${event.runId}: exit ${exit}, ${exitWords(exit)}; ${report}`;
    }
    case 'handed_over':
      return `${event.runId}: handed over to another worker`;
    case 'lost':
      return `${event.runId}: ${wordsOf(event, place)}`;
    case 'left':
      return `${event.runId}: left${event.isTriedAgain ? ', and tried again' : ''}: ${wordsOf(event, place)}`;
    case 'database_away':
    case 'database_back':
      return messages.process.databaseText(event);
    case 'stopping':
      return 'stopping: handing over the runs under way';
  }
}

function wordsOf({ why }: Extract<WorkerEvent, { event: 'lost' | 'left' }>, place: Place): string {
  const { message, remedy } = messages.refusals.refusalText({ reason: why }, place);
  return inOneLine(`${message}\n${remedy}`);
}
