import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { ProgressPoint } from '../html/pictures.ts';

/** As many as a picture shows. */
const POINTS_MAX = 240;

/**
 * How many payouts were sent and had their outcome over time, by the run's journal, from its start to the last of
 * these; at most 241 points. Empty where nothing was sent.
 */
export function progressPoints(run: RunState): ProgressPoint[] {
  const { sent, finished } = momentsOf(run);
  const [firstSent = 0] = sent;
  const last = Math.max(sent.at(-1) ?? 0, finished.at(-1) ?? 0);
  if (sent.length === 0) return [];
  const first = Math.min(run.startedAt ?? run.createdAt, firstSent);
  const steps = Math.min(POINTS_MAX, Math.max(1, last - first));
  const points: ProgressPoint[] = [];
  let [sentSoFar, finishedSoFar] = [0, 0];
  for (let step = 0; step <= steps; step++) {
    const at = first + Math.floor(((last - first) * step) / steps);
    while (sentSoFar < sent.length && (sent[sentSoFar] ?? 0) <= at) sentSoFar++;
    while (finishedSoFar < finished.length && (finished[finishedSoFar] ?? 0) <= at) finishedSoFar++;
    points.push({ at, sent: sentSoFar, finished: finishedSoFar });
  }
  assert(sentSoFar === sent.length && finishedSoFar === finished.length, 'a moment after the last one');
  return points;
}

/** When payouts were sent, and when they had their outcome, each in order. What was refused before it was sent is in neither. */
function momentsOf(run: RunState): { sent: Float64Array; finished: Float64Array } {
  const sent: number[] = [];
  const finished: number[] = [];
  for (const payout of run.payouts.values()) {
    switch (payout.state) {
      case 'waiting':
      case 'suspected':
      case 'not_submitted':
        break;
      case 'sending':
      case 'in_doubt':
      case 'unresolved':
        sent.push(payout.intentAt);
        break;
      case 'accepted':
        sent.push(payout.sent.submittedAt);
        break;
      case 'completed':
      case 'failed':
        sent.push(payout.sent.submittedAt);
        finished.push(payout.finishedAt);
        break;
      case 'rejected':
        if (payout.token === null) break;
        sent.push(payout.finishedAt);
        finished.push(payout.finishedAt);
    }
  }
  return { sent: Float64Array.from(sent).sort(), finished: Float64Array.from(finished).sort() };
}
