import type { Person } from '../../app/people/people.ts';
import { t } from '../../messages/translate.ts';
import { whyNoApprover } from '../plans/plan-policy.ts';
import { hasOneOf } from '../require-role.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { type Failure, problemNotice } from '../shell/parts.ts';
import { placeOfNew } from '../sights.ts';
import { signedIn, type Web, type WebContext } from '../web.ts';
import { jobsFor, mayPrepareAlone } from './job-choice.ts';
import { choosable, pageOver, uploadBy } from './upload-over.ts';
import { newSteps, uploadForm, uploadHead } from './upload-parts.ts';
import type { Upload } from './uploads.ts';

/** Why the last upload was refused, and the job that was chosen. */
type Shown = { wrong?: Failure | null; job?: string | null };

/** The first step of a new payment. */
export async function showUploadStep(context: WebContext, { wrong = null, job = null }: Shown): Promise<Response> {
  const { web, person } = signedIn(context);
  const body = html`${newSteps()}
<h1>New payment</h1>
${problemNotice(wrong)}
<section class="card" aria-label="The file">${await newUpload(web, person, job)}</section>`;
  return answer(context, { title: t`New payment`, here: 'payments', body }, wrong?.status ?? 200);
}

/** The form of a new file. `job`: the one that is chosen already. */
export async function newUpload(web: Web, person: Person, job: string | null): Promise<Html> {
  const jobs = jobsFor(web, person);
  const mayGoWithout = await mayPrepareAlone(web, person);
  if (!mayGoWithout && jobs.length === 0)
    return html`<p class="empty">You cannot upload anything: names and amounts are hidden from you, or you have no job. An administrator can change that under Team.</p>`;
  const over = await choosable(web, person);
  const place = await placeOfNew(web, { job, connectionId: over.chosen });
  const whys = await whyNoApprover(web, person, { ...place, isLive: false });
  const mayBeLive = whys === null && (await web.connections.anyLive());
  const ofLive = mayBeLive ? await whyNoApprover(web, person, { ...place, isLive: true }) : null;
  return html`<p class="soft">You see every error and what will be paid before anything is sent.</p>${whys && noApprover(person, whys, t`Nobody here can approve what you upload.`)}${ofLive && noApprover(person, ofLive, t`Nobody here can approve live payments that you upload.`)}${uploadForm({ jobs, job, mayGoWithout, over })}`;
}

/** Shown before the upload: a plan that only its maker could approve is never paid. */
function noApprover(person: Person, whys: readonly string[], title: string): Html {
  const where = hasOneOf(person, ['administrator']) ? html`under <a href="/people">Team</a>` : t`under Team`;
  const way =
    whys.length === 0
      ? html`An administrator can invite an approver ${where}, or give someone the role.`
      : html`${whys.map((why) => html`${why} `)}`;
  return html`<div class="notice care"><p><strong>${title}</strong></p><p>${way}</p><p>Only a job that names its own approvers can be approved.</p></div>`;
}

/** The same where there is a file: another one takes the place of that. */
export async function showOtherUpload(context: WebContext, upload: Upload): Promise<Response> {
  const by = await uploadBy(context.var.web, upload);
  const body = html`${uploadHead(upload, by, 'upload')}
<section class="card" aria-labelledby="fix"><h2 id="fix">Replace the file</h2><p class="soft">Your column mapping stays.</p>${uploadForm({ mends: upload.id })}</section>`;
  return answer(context, { title: upload.name, here: 'payments', ...pageOver(by), body });
}
