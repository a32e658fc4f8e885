import { Hono } from 'hono';
import { ownLinks } from '../plans/standing.ts';
import { requireRole } from '../require-role.ts';
import { findRun, noSuchRun, pageOf, SEEING, whenRead } from '../runs/found-run.ts';
import { answer } from '../shell/layout.ts';
import { verifyKeptProof } from '../sign-in/passkey-approval.ts';
import { signedIn, type Web, type WebEnv } from '../web.ts';
import type { AuditEntry } from './audit-log.ts';
import { type AuditLine, auditPage, auditProven, type Proven, runAuditPage } from './audit-page.ts';
import { pageProof } from './page-proof.ts';

const LINES_OF_A_PAGE = 100;
/** What people do to one run. */
const LINES_OF_A_RUN = 1_000;
/** So long the page waits for the proof of a journal; of a long one it follows. */
const PATIENCE_MS = 1_000;

/** What everybody did, and whether the records of it are as they were written. */
export function auditRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const proofs = new JournalProofs();

  app.get('/audit', requireRole('approver', 'viewer', 'administrator'), async (context) => {
    const { web } = context.var;
    const asked = context.req.query('before') ?? '';
    const before = /^[1-9]\d{0,14}$/.test(asked) ? Number(asked) : null;
    const entries = web.audit.list({ before, limit: LINES_OF_A_PAGE });
    const last = entries.at(-1)?.n ?? 1;
    const lines = await linesOf(web, entries);
    const body = auditPage(lines, web.audit.verify(), last > 1 ? last : null);
    return answer(context, { title: 'Audit', here: 'audit', body });
  });

  app.get('/runs/:run/audit', requireRole(...SEEING), whenRead, async (context) => {
    const found = await findRun(context);
    if (found === null) return noSuchRun(context);
    const { web } = context.var;
    const { run, runId, story } = found.followed;
    const waitMs = context.req.header('x-refresh') === undefined ? PATIENCE_MS : 0;
    const [proven, lines] = await Promise.all([
      proofs.look(web, runId, waitMs),
      linesOf(web, web.audit.list({ runId, limit: LINES_OF_A_RUN }), run.header?.digest ?? null),
    ]);
    const audit = {
      proof: pageProof(web),
      story,
      journal: proven,
      log: auditProven(web.audit.verify()),
      lines,
      links: ownLinks(web, run, signedIn(context).person),
    };
    return answer(context, { ...pageOf(run), body: runAuditPage(run, runId, audit), asksAgain: proven === null });
  });

  return app;
}

async function linesOf(web: Web, entries: readonly AuditEntry[], digest: string | null = null): Promise<AuditLine[]> {
  const names = new Map<string, string>();
  const nameOf = (id: string) => {
    const name = names.get(id) ?? web.people.get(id)?.name ?? id;
    names.set(id, name);
    return name;
  };
  const lines: AuditLine[] = [];
  for (const entry of entries) {
    const name = entry.person === null ? null : nameOf(entry.person);
    lines.push({ ...entry, details: named(web, entry.details), name, proof: await proofOf(entry, digest) });
  }
  return lines;
}

/** With the name of the person or the file that it is about, where only the id was written down. */
function named({ people, uploads }: Web, details: AuditEntry['details']): AuditEntry['details'] {
  const { whom, upload } = details;
  if ('name' in details) return details;
  const name = typeof whom === 'string' ? people.get(whom)?.name : undefined;
  const file = typeof upload === 'string' ? uploads.get(upload)?.name : undefined;
  return { name: name ?? file ?? null, ...details };
}

/** The passkey's signature over the plan, verified again. */
async function proofOf({ details }: AuditEntry, digest: string | null): Promise<Proven | null> {
  const kept = details.passkey;
  if (kept === null || kept === undefined) return null;
  const verified = await verifyKeptProof(kept);
  if (!verified.ok) return { ok: false, text: `${verified.what} It proves nothing.` };
  const isThis = (digest === null || verified.parts.digest === digest) && verified.parts.digest === details.digest;
  return isThis
    ? { ok: true, text: 'Signed with a passkey; the signature was verified again now.' }
    : { ok: false, text: 'The passkey signed another plan than this.' };
}

/** So long what was proven is told to those who did not wait for it and ask once more; others have it proven anew. */
const OWED_MS = 10_000;
const KEPT_MAX = 50;

type Proof = { proven: Promise<Proven>; provenAt: number | null; isOwed: boolean };

/** Whether the journals of runs are as they were written: proven in a thread, so that a long one keeps nobody waiting. */
class JournalProofs {
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
