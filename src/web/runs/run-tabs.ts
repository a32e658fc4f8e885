import { Hono } from 'hono';
import { isPlannedOnly, type RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { messages } from '../../messages/messages.ts';
import { either, t } from '../../messages/translate.ts';
import { comparedList } from '../plans/compared-part.ts';
import { changesList } from '../plans/edits-part.ts';
import { keptWarnings, seenExtras } from '../plans/plan-view.ts';
import { warningsOfKind, warningsPart } from '../plans/warnings-part.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { facts, table } from '../shell/parts.ts';
import { sizeText } from '../shell/words.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { type Found, onRun, pageOf, whenRead } from './found-run.ts';
import { isStartProven, type PageProof, pageProof, runHead } from './run-head.ts';
import { reportLink, reportLinks } from './run-report.ts';

/** The pages of a payment beside its payouts and its activity: warnings, files, and what proves it. */
export function runTabRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole(...SEEING);
  app.get('/runs/:run/warnings', sees, whenRead, onRun(showWarnings));
  app.get('/runs/:run/files', sees, whenRead, onRun(showFiles));
  app.get('/runs/:run/verification', sees, whenRead, onRun(showVerification));
  return app;
}

/** Of a plan that waits as they are now; of what was started, as they were when it was planned. */
async function showWarnings(context: WebContext, { followed }: Found): Promise<Response> {
  const { web, person } = signedIn(context);
  const { run, runId } = followed;
  const isWaiting = isPlannedOnly(run) && !run.cancelled;
  const extras = isWaiting ? await seenExtras(web, person, followed) : await keptWarnings(web, runId);
  const none = html`<p class="empty">${either(run.plan === null, 'This payment was not planned, so nothing was compared.', 'The warnings were removed with the file.')}</p>`;
  const { list = '', page = '1' } = context.req.query();
  const asked = { list, page: /^[1-9]\d{0,3}$/.test(page) ? Number(page) : 1 };
  const one =
    changesList(run, asked) ?? (extras && (warningsOfKind(followed, extras, asked) ?? comparedList(extras, list)));
  const head = runHead(run, await pageProof(web, run), { tab: 'warnings' });
  if (one !== null) {
    const body = html`${head}<p><a href="/runs/${runId}/warnings">All warnings</a></p>${one}`;
    return answer(context, { ...pageOf(run), body });
  }
  const body = html`${head}
${!isWaiting && extras && html`<p class="soft">As of planning.</p>`}
${extras === null ? none : warningsPart(followed, extras)}`;
  return answer(context, { ...pageOf(run), body });
}

async function showFiles(context: WebContext, { followed: { run, runId } }: Found): Promise<Response> {
  const { web, person } = signedIn(context);
  const upload = await web.sight.of(person).uploadOfRun(runId);
  const isKept = upload !== null && upload.removed === null;
  const { name = '', bytes = 0 } = run.header?.input ?? {};
  const from =
    run.header?.retries == null ? t`The file that was paid` : t`File of the payment whose rows it pays again`;
  const reports = table<ReturnType<typeof reportLinks>[number]>(
    t`Table of the reports`,
    [
      [t`Report`, ([format, words]) => reportLink(runId, format, words), 'head'],
      [t`Holds`, ([, , holds]) => holds],
    ],
    reportLinks(),
  );
  const body = html`${runHead(run, await pageProof(web, run), { tab: 'files' })}
<section class="stack" aria-labelledby="input"><h2 id="input">${from}</h2>
${facts([
  [t`Name`, isKept ? html`<a href="/uploads/${upload.id}">${name}</a>` : name],
  [t`Size`, sizeText(bytes)],
  [
    t`Kept`,
    upload === null
      ? t`It was not uploaded here, or you have no access to it.`
      : isKept
        ? t`Yes`
        : t`Removed. The rows that were paid are in the journal.`,
  ],
])}</section>
<section class="stack" aria-labelledby="reports"><h2 id="reports">Reports</h2>
<p class="soft">Account numbers in them are masked. They are created when you download them.</p>
${reports}</section>`;
  return answer(context, { ...pageOf(run), body });
}

async function showVerification(context: WebContext, { followed: { run, runId } }: Found): Promise<Response> {
  const { web } = context.var;
  const proof = await pageProof(web, run);
  const head = await web.deps.reads.head(runId);
  const { header, approvals } = run;
  const signatures = table<(typeof approvals)[number]>(
    t`Signatures of the approvers`,
    [
      [t`Approver`, ({ approver }) => approver, 'head'],
      [t`Signed`, ({ signed_at }) => isoUtc(signed_at), 'small'],
      [t`Key`, ({ public_key }) => html`<span class="id">${public_key}</span>`, 'small'],
      [t`Signature`, ({ signature }) => html`<span class="id">${signature}</span>`, 'small'],
    ],
    approvals,
  );
  const body = html`${runHead(run, proof, { tab: 'verification' })}
<section class="stack" aria-labelledby="hashes"><h2 id="hashes">Hashes</h2>
<p class="soft">They show that what was paid is what was approved. Compare them if in doubt; Activity proves the journal entry by entry.</p>
${facts(
  [
    [t`Run`, runId],
    [t`SHA-256 of the file`, header?.input.sha256],
    [t`Digest of the plan`, header?.digest],
    [t`Journal head`, head && t`${head.hash}, entry ${head.n}`],
    [t`Started by`, startedBy(run, proof)],
  ],
  'id',
)}
<p><a href="/runs/${runId}/audit">Prove that the journal is unchanged</a></p></section>
${approvals.length > 0 && html`<section class="stack" aria-labelledby="signatures"><h2 id="signatures">Signatures</h2>${signatures}</section>`}`;
  return answer(context, { ...pageOf(run), body });
}

function startedBy(run: RunState, proof: PageProof): Html | string | null {
  return isPlannedOnly(run) ? null : messages.actors.starterText(run, isStartProven(run, proof));
}
