import { request } from 'undici';
import { expect } from 'vitest';
import type { ServiceOptions } from '../../../src/service/options.ts';
import { type Reply, replyOf, type SignedBytes, type Signing, type TestService } from '../harness.ts';

/** What a row finds when it begins. */
export type Given = {
  service: TestService;
  customerId: string;
  /** A recipient with one British account and one wallet on ethereum. */
  recipientId: string;
  accountId: string;
  walletId: string;
  /** An account of the caller's own, by rail; it is made when it is first asked for. */
  own(rail: string): Promise<string>;
  /** What the row's own preparation wants to look at later. */
  // biome-ignore lint/suspicious/noExplicitAny: rows keep answers of every shape
  kept: Record<string, any>;
};

/** A request as it goes out; a row may change what it is about. */
export type Outgoing = Omit<SignedBytes, 'body'> & {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body: string | Uint8Array;
};

/** One statement: a request and its answer. */
export type Row = {
  /** Of the interface specification; rows stand in its order. */
  section: string;
  statement: string;
  operation: string;
  /** A function may prepare what the statement is about; texts are sent as they are. */
  body: object | string | ((given: Given) => unknown);
  /** The status, or status, code and reason of an error. */
  is: 200 | [status: number, code: string, reason?: string];
  shows?(reply: Reply, given: Given): void | Promise<void>;
  /** What the request is signed with, where it is not as usual. */
  signing?: Partial<Signing> | ((given: Given) => Partial<Signing> | Promise<Partial<Signing>>);
  /** Changes the signed request before it is sent. */
  change?(outgoing: Outgoing, given: Given): Outgoing | Promise<Outgoing>;
  /** A service of the row's own, with these options: for rows that move prices, the clock or balances. */
  alone?: Partial<ServiceOptions>;
};

export const INVALID: Row['is'] = [400, 'BAD_REQUEST', 'INVALID'];
export const NOT_FOUND: Row['is'] = [404, 'NOT_FOUND'];
export const refusedAs = (reason: string): Row['is'] => [400, 'BAD_REQUEST', reason];
export const unauthorized = (reason: string): Row['is'] => [401, 'UNAUTHORIZED', reason];

/** A row about `transaction.transfer`. */
export function transferRow(
  section: string,
  statement: string,
  body: Row['body'],
  is: Row['is'],
  shows?: Row['shows'],
): Row {
  return { section, statement, operation: 'transaction.transfer', body, is, ...(shows ? { shows } : {}) };
}

export const TEXT = expect.any(String);
/** ISO 8601, UTC. */
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
export const HASH = expect.stringMatching(/^[0-9a-f]{64}$/);

/** Sends one request as it stands, with any method. */
export async function sendAsIs(service: TestService, { method, path, headers, body }: Outgoing): Promise<Reply> {
  const url = `${service.service.baseUrl}${path}`;
  const answer = await request(url, { method, headers, ...(method === 'GET' ? {} : { body }) });
  const text = await answer.body.text();
  return replyOf(answer.statusCode, answer.headers, text);
}

/** Everything that an error must leave as it was. */
export async function booksOf(service: TestService): Promise<string> {
  const { postings, recipients, external_accounts, transactions } = (await service.admin('state')).data;
  return JSON.stringify({ postings, recipients, external_accounts, transactions });
}

/** Lets everything that is due within a minute happen. */
export const aMinuteLater = (service: TestService) => service.admin('clock.advance', { ms: 60_000 });
