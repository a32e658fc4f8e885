import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Hono } from 'hono';
import { requireRole } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { inputName } from '../uploads/receive-file.ts';
import { addUpload } from '../uploads/receive-upload.ts';
import { showUploadStep } from '../uploads/upload-step.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';

/** The columns of a payment that somebody enters row by row: what the rails for bank accounts ask for. */
const COLUMNS = [
  'payee_id',
  'name',
  'amount',
  'currency',
  'rail',
  'account_number',
  'national_clearing_code',
  'bic',
  'account_type',
  'reference',
];

const FILE = `${COLUMNS.join(',')}\n`;

/** A payment without a file: an upload that has a header of ours and no rows, which are added in the grid. */
export function byHandRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.post('/uploads/by-hand', requireRole('preparer'), create);
  return app;
}

async function create(context: WebContext): Promise<Response> {
  const { web, person } = signedIn(context);
  const { uploads } = web;
  const { connection } = await readForm(context, { connection: text });
  const fields = new Map([['connection', connection]]);
  return uploads.inNewFolder(async ({ id, keeps }) => {
    const file = { name: 'By hand.csv', kind: '.csv', bytes: FILE.length, sha256: hash('sha256', FILE) } as const;
    writeFileSync(uploads.beside({ id }, inputName(file.kind)), FILE, { mode: 0o600 });
    const refused = await addUpload(web, { id, file, fields, person, via: { by_hand: 'yes' } });
    if (refused !== null) return showUploadStep(context, { wrong: refused });
    keeps();
    return context.redirect(`/uploads/${id}/grid`, 303);
  });
}
