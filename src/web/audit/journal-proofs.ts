import type { Web } from '../web.ts';
import type { Proven } from './audit-page.ts';

/** So long what was proven is told to those who did not wait for it and ask once more; others have it proven anew. */
const OWED_MS = 10_000;
const KEPT_MAX = 50;

type Proof = { proven: Promise<Proven>; provenAt: number | null; isOwed: boolean };

/** Whether the journals of runs are as they were written: proven in a thread, so that a long one keeps nobody waiting. */
export class JournalProofs {
  readonly #known = new Map<string, Proof>();

  /** What is proven within `waitMs`; null while it is still being proven. Whoever asks meanwhile is told the same. */
  async look(web: Web, runId: string, waitMs: number): Promise<Proven | null> {
    const { clock, journal } = web.deps;
    const key = `${runId} ${(await journal.head(runId))?.n}`;
    const known = this.#known.get(key);
    const isOf = ({ provenAt, isOwed }: Proof) =>
      provenAt === null || (isOwed && clock.monotonicMs() - provenAt < OWED_MS);
    const proof = known !== undefined && isOf(known) ? known : this.#prove(web, runId, key);
    const proven = await Promise.race([proof.proven, clock.sleep(waitMs).then(() => null)]);
    if (proven === null) proof.isOwed = true;
    return proven;
  }

  #prove(web: Web, runId: string, key: string): Proof {
    this.#known.delete(key);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= KEPT_MAX && oldest !== undefined) this.#known.delete(oldest);
    const proof: Proof = { proven: prove(web, runId), provenAt: null, isOwed: false };
    void proof.proven.then(() => {
      proof.provenAt = web.deps.clock.monotonicMs();
    });
    this.#known.set(key, proof);
    return proof;
  }
}

async function prove({ deps }: Web, runId: string): Promise<Proven> {
  const verified = await deps.calls.verifyRun(runId).catch((error: unknown) => {
    deps.log.warn({ error, run: runId }, 'a run could not be proven');
    return null;
  });
  if (verified?.outcome !== 'verified') return { ok: false, text: 'could not be proven.' };
  const { verification, report } = verified;
  if (!verification.ok) return { ok: false, text: `could not be proven: ${verification.message}.` };
  const { entries, head } = verification;
  const also = report?.outcome === 'witness' ? ' Its report notes the same.' : '';
  return { ok: true, text: `${entries} entries, none altered. The last has the hash ${head.slice(0, 16)}…${also}` };
}
