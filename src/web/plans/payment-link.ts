import { messages } from '../../messages/messages.ts';
import { seesRun } from '../../messages/viewer.ts';
import { type Html, html } from '../shell/html.ts';

/** Leads to a payment, by its name where that is known; without one where the reader may not see it. */
export function paymentLink(runId: string, names?: ReadonlyMap<string, string>): Html {
  if (!seesRun(runId)) return html`${messages.runs.runName(runId)}`;
  return html`<a href="/runs/${runId}">${names?.get(runId) ?? runId}</a>`;
}
