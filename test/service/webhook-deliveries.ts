import { expect } from 'vitest';
import { addPayee, gbpPayout, type TestService, until } from './harness.ts';

/** A delivery as the admin port lists it. */
export type Delivery = {
  event_id: string;
  endpoint_id: string;
  state: string;
  attempts: number;
  due_at: string | null;
  tried_at: string | null;
  problem: string | null;
  http_status: number | null;
};

export type Deliveries = {
  /** A payout of 100.00 GBP to a payee of its own. */
  pay(name?: string, more?: object): Promise<string>;
  /** One payout that stays PENDING, so that there is one event. */
  oneEvent(): Promise<string>;
  /** The admin port, which has to accept it. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  admin(operation: string, body?: object): Promise<any>;
  deliveries(): Promise<Delivery[]>;
  /** Waits until there are so many and all are in that state. */
  all(state: string, count: number): Promise<Delivery[]>;
  /** Waits until the newest delivery has been tried so many times and the result is written. */
  tried(attempts: number): Promise<Delivery>;
};

/** What tests do with the webhooks of the service that they have at the moment. */
export function deliveriesOf(service: () => TestService): Deliveries {
  const pay: Deliveries['pay'] = async (name = 'Ada Lovelace', more = {}) => {
    const { accountId } = await addPayee(service(), name);
    return service().data('transaction.transfer', gbpPayout(accountId, 10_000, more));
  };
  const admin: Deliveries['admin'] = async (operation, body = {}) => {
    const reply = await service().admin(operation, body);
    expect(reply.status, `${operation}: ${reply.text}`).toBe(200);
    return reply.data;
  };
  const deliveries: Deliveries['deliveries'] = async () =>
    (await admin('webhook.deliveries', { limit: 500 })).deliveries;
  return {
    pay,
    oneEvent: () => pay('REHEARSE_STUCK'),
    admin,
    deliveries,
    all: (state, count) =>
      until(async () => {
        const found = await deliveries();
        return found.length === count && found.every((delivery) => delivery.state === state) ? found : null;
      }),
    tried: (attempts) =>
      until(async () => {
        const [newest] = await deliveries();
        return newest?.attempts === attempts && newest;
      }),
  };
}
