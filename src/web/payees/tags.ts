import { Hono } from 'hono';
import type { PayeeBook } from '../../app/payees/payee-book.ts';
import { cleanTag, TAG_MAX, TAGS_OF_A_PAYEE_MAX, type TagsByPayee, tagKey } from '../../app/people/payee-tags.ts';
import { t } from '../../messages/translate.ts';
import type { FileColumn } from '../../report/table-file.ts';
import { hasOneOf, requireRole } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { errorPage } from '../shell/layout.ts';
import { option } from '../shell/parts.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { NO_SUCH_PAYEE, onBook, payeeIn } from './payee-books.ts';

/** Who may tag recipients: who plans and who approves payments, of recipients that they see. */
const TAGGING = ['preparer', 'approver'] as const;

/** Tags that recipients have. A tag changes nothing of what is paid. */
export function tagRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const page = { title: 'Recipients', here: 'recipients' } as const;
  app.post('/payees/:id/tags', requireRole(...TAGGING), onBook(page, add));
  app.post('/payees/:id/tags/remove', requireRole(...TAGGING), onBook(page, remove));
  return app;
}

async function add(context: WebContext, book: PayeeBook): Promise<Response> {
  const payee = payeeIn(context, book);
  if (payee === undefined) return errorPage(context, NO_SUCH_PAYEE);
  const tag = cleanTag((await readForm(context, { tag: text })).tag);
  const refuse = (message: string, remedy: string) => errorPage(context, { status: 422, message, remedy });
  if (tag === null) return refuse(t`This is not a valid tag.`, t`Type one to ${TAG_MAX} characters.`);
  const { web, person } = signedIn(context);
  const outcome = await web.tags.add(payee.id, tag, person.id);
  if (outcome === 'full')
    return refuse(t`This recipient has ${TAGS_OF_A_PAYEE_MAX} tags and cannot have more.`, t`Remove one first.`);
  const { name, payeeId: payee_id } = payee;
  if (outcome === 'added')
    await web.audit.append({ person: person.id, act: 'payee_tagged', details: { name, payee_id, tag } });
  return context.redirect(`/payees/${payee.id}#tags`, 303);
}

async function remove(context: WebContext, book: PayeeBook): Promise<Response> {
  const payee = payeeIn(context, book);
  if (payee === undefined) return errorPage(context, NO_SUCH_PAYEE);
  const { tag } = await readForm(context, { tag: text });
  const { web, person } = signedIn(context);
  const { name, payeeId: payee_id } = payee;
  if (await web.tags.remove(payee.id, tag))
    await web.audit.append({ person: person.id, act: 'payee_untagged', details: { name, payee_id, tag } });
  return context.redirect(`/payees/${payee.id}#tags`, 303);
}

/** The tags of a recipient, and what this person can do about them. */
export function tagsPart(context: WebContext, payee: string, tags: TagsByPayee): Html | null {
  const own = tags.get(payee) ?? [];
  const mayTag = hasOneOf(signedIn(context).person, TAGGING);
  if (own.length === 0 && !mayTag) return null;
  const items = own.map((tag) => {
    const words = t`Remove the tag ${tag}`;
    const button = html`<form method="post" action="/payees/${payee}/tags/remove"><input type="hidden" name="tag" value="${tag}"><button class="quiet" aria-label="${words}" title="${words}">×</button></form>`;
    return html`<li><a class="tag" href="/payees?tag=${encodeURIComponent(tag)}">${tag}</a>${mayTag && button}</li>`;
  });
  const form =
    mayTag &&
    own.length < TAGS_OF_A_PAYEE_MAX &&
    html`<form method="post" action="/payees/${payee}/tags" class="row"><label>New tag <input name="tag" required maxlength="${TAG_MAX}" autocomplete="off"></label><button>Add tag</button></form>`;
  return html`<section class="stack" id="tags" aria-labelledby="tags-head"><h2 id="tags-head">Tags</h2>
${items.length > 0 && html`<ul class="row tags">${items}</ul>`}
${form}</section>`;
}

/** The tags of recipients in the book, each as one of them has it, in alphabetical order. */
export function tagsIn({ byId }: PayeeBook, tags: TagsByPayee): string[] {
  const found = new Map<string, string>();
  for (const [id, own] of tags)
    for (const tag of byId.has(id) ? own : []) if (!found.has(tagKey(tag))) found.set(tagKey(tag), tag);
  return Array.from(found)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, tag]) => tag);
}

/** A choice of one of the tags; nothing where there are none. */
export function tagChoice(all: readonly string[], asked: string | null): Html | null {
  if (all.length === 0) return null;
  const wanted = asked === null ? null : tagKey(asked);
  const options = all.map((tag) => option(tag, tag, tagKey(tag) === wanted));
  return html`<label>Tag <select name="tag"><option value="">all</option>${options}</select></label>`;
}

/** Whether a payee has the tag that is asked for; everybody, where none is. */
export function taggedWith(tags: TagsByPayee, asked: string | null): (payee: string) => boolean {
  if (asked === null) return () => true;
  const wanted = tagKey(asked);
  return (payee) => tags.get(payee)?.some((tag) => tagKey(tag) === wanted) ?? false;
}

/** The tag that an address asks for. */
export function askedTag(context: WebContext): string | null {
  return cleanTag(context.req.query('tag') ?? '');
}

/** A column of a file: the tags of a row's payee. */
export function tagColumn<Row>(tags: TagsByPayee, payeeOf: (row: Row) => string): FileColumn<Row> {
  return { name: 'tags', kind: 'text', of: (row) => tags.get(payeeOf(row))?.join('; ') ?? null };
}

/** The tags beside a name in a list. */
export function smallTags(tags: TagsByPayee, payee: string): Html | null {
  const own = tags.get(payee);
  return own === undefined ? null : html` ${own.map((tag) => html`<span class="tag">${tag}</span> `)}`;
}
