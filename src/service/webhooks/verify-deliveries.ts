import type { Store } from '../store/database.ts';

/**
 * Compares deliveries with the events and the endpoints, and returns one sentence for each thing that is wrong, at most
 * `FINDINGS_MAX` of each kind.
 *
 * 1. Each event of a time when an endpoint was on has a delivery to it.
 * 2. An endpoint that is on has one period that has not ended, another has none.
 * 3. Nothing is to be sent to an endpoint that is not on, and nothing without a text.
 */
export function verifyDeliveries(store: Store): string[] {
  return [
    ...store.all(LOST, FINDINGS_MAX).map(({ event, id }) => `event ${event} has no delivery to ${id}`),
    ...store.all(PERIODS, FINDINGS_MAX).map(({ id, state, open }) => `${id} is ${state} with ${open} open periods`),
    ...store.all(HOPELESS, FINDINGS_MAX).map(({ event, id }) => `event ${event} is due for ${id}, which is not on`),
    ...store.all(SILENT, FINDINGS_MAX).map(({ event }) => `event ${event} has a delivery and no text`),
  ];
}

const FINDINGS_MAX = 25;

const LOST = `SELECT e.event, w.id FROM webhook_period p JOIN webhook_endpoint w ON w.endpoint = p.endpoint
  JOIN event e ON e.event > p.after_event AND (p.until_event IS NULL OR e.event <= p.until_event)
  LEFT JOIN delivery d ON d.event = e.event AND d.endpoint = p.endpoint WHERE d.event IS NULL LIMIT ?`;
const PERIODS = `SELECT w.id, w.state, count(p.endpoint) AS open FROM webhook_endpoint w
  LEFT JOIN webhook_period p ON p.endpoint = w.endpoint AND p.until_event IS NULL
  GROUP BY w.endpoint HAVING open <> (w.state = 'on') LIMIT ?`;
const HOPELESS = `SELECT d.event, w.id FROM delivery d JOIN webhook_endpoint w ON w.endpoint = d.endpoint
  WHERE d.due_at IS NOT NULL AND w.state <> 'on' LIMIT ?`;
const SILENT = `SELECT d.event FROM delivery d JOIN event e ON e.event = d.event WHERE e.body IS NULL LIMIT ?`;
