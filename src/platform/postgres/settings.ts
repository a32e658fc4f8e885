import pg from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The settings of every connection, which finds tables in `schema`. What a frozen process keeps locked it loses before its lease has run out, so that the
 * takeover never waits for longer: its open transaction is ended after a sixth of the lease, and so is a connection whose
 * other end acknowledges nothing for half of it.
 */
function settingsOf(schema: string, leaseMs: number): Record<string, string> {
  const part = (divisor: number) => String(Math.max(1, Math.floor(leaseMs / divisor)));
  return {
    search_path: schema,
    statement_timeout: part(1),
    lock_timeout: part(3),
    idle_in_transaction_session_timeout: part(6),
    tcp_user_timeout: part(2),
    tcp_keepalives_idle: String(Math.max(1, Math.floor(leaseMs / 6_000))),
    tcp_keepalives_interval: String(Math.max(1, Math.floor(leaseMs / 12_000))),
    tcp_keepalives_count: '3',
    client_encoding: 'UTF8',
    application_name: 'payrun',
  };
}

/** One that closes its connection where the login failed: the pool would leave a server waiting for it, and this process too. */
export class Client extends pg.Client {
  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): unknown {
    if (callback === undefined) return super.connect();
    return super.connect((error: Error | null) => {
      if (error !== null && error !== undefined) void this.end().catch(() => {});
      callback(error as Error);
    });
  }
}

/** How the driver connects. */
export function clientConfig(url: string, leaseMs: number): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // No answer for so long is none: the connection is given up.
    query_timeout: leaseMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: Math.floor(leaseMs / 6),
    types: { getTypeParser: parserOf as pg.CustomTypesConfig['getTypeParser'] },
  };
}

export async function applySettings(client: pg.ClientBase, schema: string, leaseMs: number): Promise<void> {
  const settings = Object.entries(settingsOf(schema, leaseMs));
  const set = settings.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`);
  await client.query(`SELECT ${set.join(', ')}`, settings.flat());
}

const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const INT4 = 23;

/** A column holds a number that JavaScript cannot hold. */
export class UnreadableNumber extends Error {}

/** Columns as SQLite gives them: numbers that JavaScript can hold, and 0 or 1. */
function parserOf(type: number): (text: string) => unknown {
  switch (type) {
    case INT8:
    case INT4:
      return numberOf;
    case BOOL:
      return (text) => (text === 't' ? 1 : 0);
    case BYTEA:
      return pg.types.getTypeParser(BYTEA) as (text: string) => unknown;
    default:
      return (text) => text;
  }
}

function numberOf(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new UnreadableNumber('a number is too large');
  return number;
}
