import { Hono } from 'hono';
import type { Person } from '../../app/people/people.ts';
import { isOffered, offered, t } from '../../messages/translate.ts';
import { isTimeZone, LANGUAGE_NAMES, timeZones } from '../../messages/viewer.ts';
import { requireRole } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { option } from '../shell/parts.ts';
import { signedIn, type Web, type WebContext, type WebEnv } from '../web.ts';

/** In which language and time zone a person reads the page, its mails and its reports. */
export function viewRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.post('/me/view', requireRole(), choose);
  return app;
}

/** What is none of ours counts as not chosen. */
const chosenLanguage = text.transform((typed) => (isOffered(typed) ? typed : null));
const chosenZone = text.transform((typed) => (isTimeZone(typed) ? typed : null));

async function choose(context: WebContext) {
  const { web, person } = signedIn(context);
  const form = await readForm(context, { language: chosenLanguage, zone: chosenZone });
  const view = { language: form.language, timeZone: form.zone };
  await web.store.transaction(async () => {
    await web.views.set(person.id, view);
    await web.audit.append({ person: person.id, act: 'view_chosen', details: view });
  });
  return context.redirect('/me?done=view', 303);
}

export async function viewCard(web: Web, person: Person): Promise<Html> {
  const { language, timeZone } = await web.views.of(person.id);
  const zone = timeZone ?? 'UTC';
  const choices = offered().map((each) => option(each, LANGUAGE_NAMES[each], each === language));
  return html`<section class="part" aria-labelledby="view">
<h2 id="view">Language and time zone</h2>
<form method="post" action="/me/view">
<label>Language <select name="language">${option('', t`Browser language`, language === null)}${choices}</select></label>
<label>Time zone <select name="zone"${timeZone === null && html` data-zone`}>${[...timeZones()].map((each) => option(each, each, each === zone))}</select></label>
<p class="soft small">Times on the page, in mails and in reports use it. Point at a time to see it in UTC.</p>
<button>Save</button>
</form>
</section>`;
}
