import type { Chromium, Visitor } from '../../support/browser.ts';
import type { ReadyWeb } from '../../support/web-process.ts';

export const PASSWORD = 'correct horse battery';

export type Office = {
  /** Prepares, approves and administers. */
  anna: Visitor;
  /** Only approves. */
  bea: Visitor;
};

type Fields = readonly (readonly [name: string, value: string])[];

/** Two people who have come in already, each in a browser of their own: by the forms of the page, without looking at them. */
export async function openOffice(chromium: Chromium, web: Pick<ReadyWeb, 'url' | 'firstUserUrl'>): Promise<Office> {
  const { url } = web;
  const anna = await chromium.visitor(url);
  const link = await comeInFirst(anna, web);
  const bea = await chromium.visitor(url);
  await enter(bea, url, link);
  return { anna, bea };
}

/** The first person comes in, and invites Bea, who has this link. */
export async function comeInFirst(
  anna: Visitor,
  { url, firstUserUrl }: Pick<ReadyWeb, 'url' | 'firstUserUrl'>,
): Promise<string> {
  const roles = [['role', 'preparer'] as const, ['role', 'approver'] as const];
  await enter(anna, url, firstUserUrl ?? '', [['name', 'Anna Novak'], ...roles]);
  const invited = await post(anna, url, '/people', [
    ['name', 'Bea Ortiz'],
    ['role', 'approver'],
  ]);
  return invited.match(/\/welcome#[\w-]+/)?.[0] ?? '';
}

export async function enter(visitor: Visitor, url: string, link: string, more: Fields = []): Promise<void> {
  const token = link.split('#')[1] ?? '';
  const fields: Fields = [['token', token], ['password', PASSWORD], ['again', PASSWORD], ...more];
  await post(visitor, url, '/welcome/enter', fields);
}

/** Fills in a form of the page, and returns the page that it leads to. */
async function post({ context }: Visitor, url: string, path: string, fields: Fields): Promise<string> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const answer = await context.request.post(path, { form, headers: { origin: url } });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return answer.text();
}

/** Chooses a file on the page that is open, and has it checked; resolves when the problems are shown. */
export async function uploadFile({ page }: Visitor, file: { name: string; buffer: Buffer }): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ mimeType: 'application/octet-stream', ...file });
  const before = page.url();
  await page.getByRole('button', { name: 'Upload and review' }).click();
  await page.waitForURL((url) => url.href !== before);
  await page.locator('main .notice').first().waitFor();
}

/**
 * Anna uploads and plans the file, Bea confirms each of its totals, Anna starts it and watches. Returns the address of the run. `look` is
 * called when the plan is shown, and when the approval is filled in.
 */
export async function payFile(
  { anna, bea }: Office,
  file: { name: string; buffer: Buffer },
  totals: readonly string[],
  look: { planned?: () => Promise<void>; asked?: () => Promise<void> } = {},
): Promise<string> {
  const run = await planFile(anna, file);
  await look.planned?.();
  await bea.open(`${run}/approve`);
  for (const [at, total] of totals.entries()) await bea.page.getByLabel('Type the total').nth(at).fill(total);
  await bea.page.getByLabel('Your password').fill(PASSWORD);
  await look.asked?.();
  await bea.page.getByRole('button', { name: /^Approve / }).click();
  await bea.page.waitForURL(run);
  await startPaying(anna, run);
  return run;
}

/** Uploads the file and has it planned. Returns the address of the run, whose plan is shown. */
export async function planFile(visitor: Visitor, file: { name: string; buffer: Buffer }): Promise<string> {
  const { page, open } = visitor;
  await open('/uploads/new');
  await uploadFile(visitor, file);
  await page.getByRole('button', { name: /^Submit \d/ }).click();
  await page.waitForURL('/runs/*');
  return page.url();
}

/** Starts a run that was approved, and watches. */
export async function startPaying({ page, open }: Visitor, run: string): Promise<void> {
  await open(run);
  await page.getByRole('button', { name: 'Start paying' }).click();
}

/** The page was started again, and knows nobody any more. */
export async function signInAgain({ anna, bea }: Office, url: string): Promise<void> {
  const as = (visitor: Visitor, name: string) =>
    post(visitor, url, '/sign-in', [
      ['name', name],
      ['password', PASSWORD],
    ]);
  await Promise.all([as(anna, 'Anna Novak'), as(bea, 'Bea Ortiz')]);
}
