import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { Connection } from '../app/service/at-service.ts';
import { createClient } from '../client/client.ts';
import { requestQueue } from '../client/rate-limit.ts';
import { httpTransport } from '../client/transport.ts';
import { rfc9421Signer, type Signer, templateSigner } from '../contract/signer.ts';
import { scopeOf } from '../domain/kind-of-payment.ts';
import { AWAITED_FROM_MS, type Awaited } from '../domain/outcomes/awaited.ts';
import type { Profile } from '../domain/profile.ts';
import { assert, Refusal } from '../domain/refusal.ts';
import type { Journal } from '../journal/journal.ts';
import type { SigningKey } from '../keys/ed25519.ts';
import { keyOfPem, readKeyFile } from '../keys/key-file.ts';
import { messages } from '../messages/messages.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { machineClock, machineRandomness } from '../platform/machine.ts';
import type { RunningService } from '../service/start.ts';
import { secretOf } from './profile.ts';
import { proxyFor } from './proxy.ts';

/** Reads the key of a profile that names a service: before any input is read, so that a wrong mode is found first. */
export function readSigningKey({ signing_key_file: from }: Profile): SigningKey | null {
  if (from === null) return null;
  return from.startsWith('env:') ? keyOfPem(from, secretOf(from, 'signing_key_file', process.env)) : readKeyFile(from);
}

/**
 * A client of the profile's service. Without a base URL the shipped service is started inside this process, its data in
 * the data directory, or found where it stands on its own. A second process that would start it there is refused (`held`).
 */
export async function connect(options: {
  profile: Profile;
  key: SigningKey | null;
  dataDir: string;
  /** Keeps the limit that all processes share, where they share the journal. */
  journal: Pick<Journal, 'sharedLimit'>;
  log: Log;
  /** Takes a line where the service says nothing for some seconds. */
  note?: (text: string) => void;
}): Promise<Connection> {
  const { profile, log, dataDir, journal, note = () => {} } = options;
  const shipped = profile.base_url === null ? await startShipped(dataDir, log) : null;
  const baseUrl = shipped?.baseUrl ?? profile.base_url;
  const keyId = shipped?.apiKey ?? profile.api_key;
  const key = shipped ? readKeyFile(shipped.signingKeyFile) : options.key;
  assert(baseUrl !== null && keyId !== null && key !== null, 'a profile without credentials was let through');
  const clock = machineClock;
  const scope = scopeOf(profile.base_url, keyId);
  const { rate, concurrency } = profile;
  const client = createClient({
    transport: httpTransport({
      baseUrl,
      connections: concurrency,
      proxy: proxyFor(new URL(baseUrl), process.env),
      trust: trustOf(profile),
    }),
    queue: requestQueue({ rate, concurrency, clock, limit: journal.sharedLimit(scope) }),
    signer: { sign: signerOf(profile, keyId, key).signInPool },
    clock,
    randomness: machineRandomness,
    log,
    requestLifetimeMs: profile.request_lifetime_ms,
  });
  const waits = new WaitNotes({ clock, log, awaits: client.awaits, note });
  return {
    client,
    reportTo: (other) => waits.reportTo(other),
    scope,
    async close() {
      waits.stop();
      await client.close();
      await shipped?.stop();
    },
  };
}

/** With a `ca_file`: the authorities of Node and those of the file. Throws a `Refusal` (`usage`). */
function trustOf({ ca_file: path }: Profile): SecureContext | null {
  if (path === undefined) return null;
  try {
    const certificates = readFileSync(path, 'utf8');
    // Reads the first of them, and throws where there is none.
    new X509Certificate(certificates);
    return createSecureContext({ ca: [...getCACertificates('default'), certificates] });
  } catch (error) {
    const cause = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new Refusal({ code: 'wrong_credentials', fault: { why: 'no_certificates', path, cause } });
  }
}

function signerOf(profile: Profile, keyId: string, key: SigningKey): Signer {
  const { signing } = profile;
  switch (signing.scheme) {
    case 'rfc9421':
      return rfc9421Signer({ keyId, key });
    case 'template':
      return templateSigner({ keyId, key, headers: signing.headers, message: signing.message });
  }
}

/** Where `payrun service` or `payrun web` has the data open, the service is theirs. */
async function startShipped(dataDir: string, log: Log): Promise<ShippedService> {
  const { startShippedService } = await import('./shipped.ts');
  try {
    return await startShippedService({ dataDir, log, port: 0, adminPort: null });
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'held') throw error;
    const { findRunningShipped } = await import('./running-service.ts');
    const running = await findRunningShipped(dataDir);
    if (running === null) throw error;
    return { ...running, stop: async () => {} };
  }
}

type ShippedService = Pick<RunningService, 'baseUrl' | 'apiKey' | 'signingKeyFile' | 'stop'>;

/** A line names what is waited for, and then others at pauses that double up to a minute. */
const PAUSE_FIRST_MS = 10_000;
const PAUSE_MAX_MS = 60_000;
const LOOK_EVERY_MS = 250;

type Options = { clock: Clock; log: Log; awaits: () => Awaited | null; note: (text: string) => void };

/** Shows life while a service says nothing, or has asked for a pause. `stop` has to be called. */
class WaitNotes {
  readonly #options: Options;
  readonly #end = new AbortController();
  #note: (text: string) => void;
  #pauseMs = PAUSE_FIRST_MS;
  #nextAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: Options) {
    this.#options = options;
    this.#note = options.note;
    void this.#watch();
  }

  /** From now on lines go there: a progress that draws over itself has them above it. */
  reportTo(note: (text: string) => void): void {
    this.#note = note;
  }

  stop(): void {
    this.#end.abort();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#options.clock.sleep(LOOK_EVERY_MS, signal);
      if (!signal.aborted) this.#look();
    }
  }

  #look(): void {
    const { clock, log, awaits } = this.#options;
    const awaited = awaits();
    if (awaited === null || awaited.code === 'limit' || awaited.forMs < AWAITED_FROM_MS) {
      this.#pauseMs = PAUSE_FIRST_MS;
      return;
    }
    const nowMs = clock.monotonicMs();
    if (nowMs < this.#nextAtMs) return;
    this.#nextAtMs = nowMs + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, PAUSE_MAX_MS);
    this.#note(messages.process.waitText(awaited));
    const seconds = Math.round(awaited.forMs / 1_000);
    if (awaited.code === 'answer') log.warn({ operation: awaited.operation, seconds }, 'waiting for an answer');
    else log.warn({ seconds, left_ms: Math.round(awaited.leftMs ?? 0) }, 'paused as the service asked');
  }
}
