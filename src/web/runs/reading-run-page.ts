import { html } from 'hono/html';
import { waitingPart } from '../uploads/checking-page.ts';
import type { Reading } from '../watch/followed-runs.ts';
import type { Html } from '../web.ts';

/** While a large run is read, of which the page knows nothing yet. */
export function readingRunPage(runId: string, reading: Reading, place: string): Html {
  return html`<p class="soft small crumbs"><a href="/runs">Runs</a> / <span class="id">${runId}</span></p>
<h1>Run ${runId}</h1>
${waitingPart(place, 'The run is being read …', 'Large runs take some seconds, the first time that somebody looks.', reading)}`;
}
