import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { isEmailAddress, parseMailbox } from '../../domain/notices/email-address.ts';
import { NOTIFY_EVENTS, type NotifySettings, type RemittanceSettings } from '../../domain/notices/notify.ts';
import { readTemplate, TEMPLATE_CHARACTERS_MAX } from '../../domain/notices/remittance-template.ts';
import type { TextFault } from '../../domain/refusals/settings-faults.ts';
import { webhookUrlFault } from '../connection.ts';
import { addProblem, form, wanting } from '../schema-problems.ts';
import { parsedText, secretReference } from '../values.ts';

const TO_MAX = 20;
const COMPANY_MAX = 140;

const address = z.string().refine(isEmailAddress, wanting({ form: 'email_address' }));

const sender = parsedText((text) => parseMailbox(text) ?? undefined, { form: 'sender' }).describe(
  'the sender: an address, or Name <address>',
);

const smtp = secretReference.describe(
  'where the address of the mail server is, env:NAME or file:PATH: smtps://user:password@host:465',
);

const webhookUrl = z.string().superRefine((text, context) => {
  const fault = webhookUrlFault(text);
  if (fault !== null) addProblem(context, fault);
});

/** Values that stand in a list once. */
function refuseTwice(values: readonly string[], context: z.RefinementCtx): void {
  for (const [at, value] of values.entries())
    if (values.indexOf(value) !== at) addProblem(context, { code: 'listed_twice' }, { path: [at] });
}

const email = z.strictObject({
  to: z
    .array(address)
    .min(1, form('addressee'))
    .max(TO_MAX)
    .superRefine(refuseTwice)
    .describe('who is notified: a list of addresses'),
  from: sender,
  smtp,
});

const webhook = z.strictObject({
  url: webhookUrl.describe('where it is posted, such as https://hooks.example/payrun; http on loopback only'),
  secret: secretReference.describe('the whsec_ secret that signs it, as env:NAME or file:PATH'),
});

const notify = z
  .strictObject({
    on: z
      .array(z.enum(NOTIFY_EVENTS))
      .min(1, form('events'))
      .superRefine(refuseTwice)
      .optional()
      .describe(`the events: some of ${NOTIFY_EVENTS.join(', ')} (default: all)`),
    email: email.optional().describe('who is notified by e-mail'),
    webhook: webhook.optional().describe('where a signed webhook is posted (Standard Webhooks)'),
  })
  .superRefine(({ email, webhook }, context) => {
    if (email === undefined && webhook === undefined)
      addProblem(context, { code: 'nobody_to_notify' }, { isKey: true });
  });

const remittance = z.strictObject({
  template: z.string().min(1).describe('the file of the text, beside this file'),
  from: sender,
  smtp,
  company: z.string().min(1).max(COMPANY_MAX).optional().describe('who pays: the value of {company} in the text'),
});

/** Who is notified of the runs of this job. */
export const notifyPart = {
  notify: notify.optional().describe('who is notified of the runs of this job, by e-mail and by webhook'),
  remittance: remittance.optional().describe('sends each payee an e-mail when a payout is completed'),
};

type Written = { notify?: z.output<typeof notify> | undefined; remittance?: z.output<typeof remittance> | undefined };

/** A fault at the value of `key` below `remittance`. */
type RemittanceFault = { key: 'template' | 'company'; fault: TextFault };

export type ReadNotify = { ok: true; settings: NotifySettings | null } | ({ ok: false } & RemittanceFault);

/**
 * Who is notified by a job, with the text of its template, since a run goes on from its journal alone. Files are named whole.
 * Null settings where it notifies nobody.
 */
export function readNotify({ notify, remittance }: Written, folder: string): ReadNotify {
  if (notify === undefined && remittance === undefined) return { ok: true, settings: null };
  const read = remittance === undefined ? null : readRemittance(remittance, folder);
  if (read !== null && 'fault' in read) return { ok: false, ...read };
  const { email, webhook } = notify ?? {};
  const settings: NotifySettings = {
    on: notify === undefined ? [] : (notify.on ?? [...NOTIFY_EVENTS]),
    email: email === undefined ? null : { ...email, smtp: whole(email.smtp, folder) },
    webhook: webhook === undefined ? null : { ...webhook, secret: whole(webhook.secret, folder) },
    remittance: read,
  };
  return { ok: true, settings };
}

function readRemittance(
  { template: path, from, smtp, company }: NonNullable<Written['remittance']>,
  folder: string,
): RemittanceSettings | RemittanceFault {
  const file = isAbsolute(path) ? path : join(folder, path);
  const text = textOf(file);
  if (text === null) return { key: 'template', fault: { code: 'no_template', file } };
  const read = readTemplate(text);
  if (!read.ok) return { key: 'template', fault: { code: 'wrong_template', file, fault: read.fault } };
  const { subject, body, fields } = read.template;
  if (fields.has('company') && company === undefined)
    return { key: 'company', fault: { code: 'template_without_company' } };
  return { subject, body, company: company ?? null, from, smtp: whole(smtp, folder) };
}

/** Null where there is no such file of a template's size. */
function textOf(path: string): string | null {
  try {
    if (statSync(path).size > TEMPLATE_CHARACTERS_MAX) return null;
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch {
    return null;
  }
}

/** A run is resumed from any folder. */
function whole(reference: string, folder: string): string {
  return reference.startsWith('file:') ? `file:${resolve(folder, reference.slice('file:'.length))}` : reference;
}
