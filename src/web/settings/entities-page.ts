import { Hono } from 'hono';
import type { Entity } from '../../app/people/entities.ts';
import { NAME_MAX, nameFault } from '../../app/people/people.ts';
import { t, textTable } from '../../messages/translate.ts';
import { NAME_FAULTS } from '../people/access-words.ts';
import { requireRole } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { html } from '../shell/html.ts';
import { doneNotice, problemNotice } from '../shell/parts.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { answerSettings } from './settings-frame.ts';

/** The companies that pay. None is removed: payments belong to them. */
export function entityRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const only = requireRole('administrator');
  app.get('/settings/entities', only, (context) => show(context, null));
  app.post('/settings/entities', only, add);
  app.post('/settings/entities/:id/name', only, rename);
  return app;
}

const DONE: Readonly<Record<string, string>> = textTable({
  added: 'The entity was added.',
  renamed: 'The entity was renamed.',
});

async function show(context: WebContext, wrong: string | null): Promise<Response> {
  const { entities } = context.var.web;
  const item = ({ id, name }: Entity) =>
    html`<li><form class="row" method="post" action="/settings/entities/${id}/name"><label>Name of ${id} <input name="name" required maxlength="${NAME_MAX}" autocomplete="off" value="${name}"></label><button>Rename</button></form></li>`;
  const body = html`<h2>Entities</h2>
<p class="soft">The companies that pay. Each connection, job (<code>entity:</code> in its file, by the ID) and role belongs to one of them.</p>
${problemNotice(wrong)}${wrong === null && doneNotice(DONE[context.req.query('done') ?? ''] ?? null)}
<ul class="entries">${(await entities.list()).map(item)}</ul>
<section class="part" aria-labelledby="add"><h3 id="add">Add entity</h3><form method="post" action="/settings/entities">
<label>Name <input name="name" required maxlength="${NAME_MAX}" autocomplete="off"></label><button class="primary">Add entity</button></form></section>`;
  return answerSettings(context, 'entities', body, wrong === null ? 200 : 422);
}

const taken = () => t`An entity with this name already exists.`;

async function add(context: WebContext): Promise<Response> {
  const { web, person } = signedIn(context);
  const { name } = await readForm(context, { name: text });
  const fault = nameFault(name);
  if (fault !== null) return show(context, NAME_FAULTS[fault]);
  const added = await web.store.transaction(async () => {
    const entity = await web.entities.add(name);
    const details = entity && { entity: entity.id, name: entity.name };
    if (details !== null) await web.audit.append({ person: person.id, act: 'entity_added', details });
    return entity;
  });
  return added === null ? show(context, taken()) : context.redirect('/settings/entities?done=added', 303);
}

async function rename(context: WebContext): Promise<Response> {
  const { web, person } = signedIn(context);
  const { name } = await readForm(context, { name: text });
  const fault = nameFault(name);
  if (fault !== null) return show(context, NAME_FAULTS[fault]);
  const id = context.req.param('id') ?? '';
  const isRenamed = await web.store.transaction(async () => {
    const before = await web.entities.get(id);
    if (before === null || !(await web.entities.rename(id, name))) return false;
    const details = { entity: id, name: name.trim(), before: before.name };
    await web.audit.append({ person: person.id, act: 'entity_renamed', details });
    return true;
  });
  return isRenamed ? context.redirect('/settings/entities?done=renamed', 303) : show(context, taken());
}
