import { once } from 'node:events';
import { connect } from 'node:net';
import process from 'node:process';
import pg from 'pg';
import type { PostgresAddress } from './postgres-server.ts';

/** The server that the tests of this run share. */
export async function sharedPostgres(): Promise<PostgresAddress> {
  const door = process.env.SHARED_POSTGRES;
  if (door === undefined) throw new Error('nobody shares a PostgreSQL server in this run');
  const socket = connect(door);
  let text = '';
  socket.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  await once(socket, 'close');
  const answer = JSON.parse(text) as PostgresAddress | { error: string };
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}

/** A URL of a database on a server, for its superuser or another one. */
export function urlOf(
  { host, port, user, password }: PostgresAddress,
  database: string,
  as: { user: string; password: string } = { user, password },
): string {
  return `postgres://${as.user}:${as.password}@${host}:${port}/${database}`;
}

/** Makes statements over a connection of their own, and gives the rows of the last one. */
export async function statements(url: string, ...sql: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  // A server that is killed ends it; the statement that is under way says so.
  client.on('error', () => {});
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const one of sql) rows = (await client.query(one)).rows ?? [];
    return rows;
  } finally {
    await client.end();
  }
}
