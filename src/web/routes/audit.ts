import { Hono } from 'hono';
import type { AuditEntry } from '../audit/audit-log.ts';
import { answer } from '../layout.ts';
import { type AuditLine, auditPage, auditProven, type Proven, runAuditPage } from '../pages/audit-page.ts';
import { verifyKeptProof } from '../people/passkeys.ts';
import { ownLinks } from '../plans/own-links.ts';
import { requireRole } from '../require-role.ts';
import { UnderWay } from '../under-way.ts';
import type { Web, WebEnv } from '../web.ts';
import { findRun, noSuchRun, pageOf, SEEING } from './run.ts';
import { whenRead } from './when-read.ts';

const LINES_OF_A_PAGE = 100;
/** What people do to one run. */
const LINES_OF_A_RUN = 1_000;

/** What everybody did, and whether the records of it are as they were written. */
export function auditRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const proving = new UnderWay<Proven>();

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
    const { journal } = web.doors;
    const [proven, lines] = await Promise.all([
      proving.of(`${runId} ${journal.head(runId)?.n}`, () => journalProven(web, runId)),
      linesOf(web, web.audit.list({ runId, limit: LINES_OF_A_RUN }), run.header?.digest ?? null),
    ]);
    const audit = { story, journal: proven, log: auditProven(web.audit.verify()), lines, links: ownLinks(web, run) };
    return answer(context, { ...pageOf(run), body: runAuditPage(run, runId, audit) });
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
    lines.push({ ...entry, name, proof: await proofOf(entry, digest) });
  }
  return lines;
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

/** By a command, so that proving a long run keeps nobody waiting. */
async function journalProven({ doors }: Web, runId: string): Promise<Proven> {
  const { exit, result } = await doors.payrun(['verify', runId]);
  const said = typeof result === 'object' && result !== null ? (result as Record<string, unknown>) : {};
  if (exit !== 0 || said.ok !== true)
    return { ok: false, text: `could not be proven${typeof said.message === 'string' ? `: ${said.message}` : ''}.` };
  const { entries, head, witness } = said;
  const also = witness === null ? '' : ' Its report notes the same.';
  return {
    ok: true,
    text: `${entries} entries, none altered. The last has the hash ${String(head).slice(0, 16)}…${also}`,
  };
}
