import { z } from 'zod';
import { isEmailAddress, parseMailbox } from '../../domain/notices/email-address.ts';
import { type Mailbox, NOTIFY_EVENTS } from '../../domain/notices/notify.ts';
import { addProblem } from '../add-problem.ts';
import { secretReference } from '../values.ts';

const TO_MAX = 20;
const COMPANY_MAX = 140;

const LIST_WANTED = 'write a list: a line for each, which begins with a hyphen';
const ADDRESS_REMEDY = 'write one address, such as finance@example.org';
const SENDER_REMEDY = 'write one address, such as payrun@example.org, or Example Pty Ltd <pay@example.org>';
const NAMED_TWICE = { what: 'stands in the list twice', remedy: 'keep one of them' };

const address = z.string().superRefine((text, context) => {
  if (!isEmailAddress(text)) addProblem(context, { remedy: ADDRESS_REMEDY });
});

const sender = z.string().transform((text, context): Mailbox => {
  const mailbox = parseMailbox(text);
  if (mailbox !== null) return mailbox;
  addProblem(context, { remedy: SENDER_REMEDY });
  return z.NEVER;
});

const smtp = secretReference.describe(
  'where the address of the mail server is, env:NAME or file:PATH: smtps://user:password@host:465',
);

const webhookUrl = z.string().superRefine((text, context) => {
  const fault = webhookFault(text);
  if (fault !== null) addProblem(context, fault);
});

/** Values that stand in a list once. */
function refuseTwice(values: readonly string[], context: z.RefinementCtx): void {
  for (const [at, value] of values.entries())
    if (values.indexOf(value) !== at) addProblem(context, { path: [at], ...NAMED_TWICE });
}

const email = z.strictObject({
  to: z
    .array(address, LIST_WANTED)
    .min(1, 'name one address at least')
    .max(TO_MAX)
    .superRefine(refuseTwice)
    .describe('who is told: a list of addresses'),
  from: sender.describe('the sender: an address, or Name <address>'),
  smtp,
});

const webhook = z.strictObject({
  url: webhookUrl.describe('where it is posted, such as https://hooks.example/payrun; http on loopback only'),
  secret: secretReference.describe('where the whsec_ secret is that signs it: env:NAME or file:PATH'),
});

const notify = z
  .strictObject({
    on: z
      .array(z.enum(NOTIFY_EVENTS), LIST_WANTED)
      .min(1, `write some of ${NOTIFY_EVENTS.join(', ')}, or take the key out for all`)
      .superRefine(refuseTwice)
      .optional()
      .describe(`of what: some of ${NOTIFY_EVENTS.join(', ')}; of all if nothing is said`),
    email: email.optional().describe('whom an e-mail tells'),
    webhook: webhook.optional().describe('where a signed webhook tells it (Standard Webhooks)'),
  })
  .superRefine(({ email, webhook }, context) => {
    const what = 'names nobody to tell';
    const remedy = 'add email: or webhook: below it';
    if (email === undefined && webhook === undefined) addProblem(context, { isKey: true, what, remedy });
  });

const remittance = z.strictObject({
  template: z.string().min(1).describe('the file of the text, beside this file'),
  from: sender.describe('the sender: an address, or Name <address>'),
  smtp,
  company: z.string().min(1).max(COMPANY_MAX).optional().describe('who pays: what {company} says in the text'),
});

/** Who is told of the runs of this job. */
export const notifyPart = {
  notify: notify.optional().describe('who is told of the runs of this job, by e-mail and by webhook'),
  remittance: remittance.optional().describe('tells each payee by e-mail, once, that a payout was completed'),
};

function webhookFault(text: string): { remedy: string; what?: string } | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hash !== '' || text !== text.trim())
    return { remedy: 'write it like https://hooks.example/payrun' };
  if (url.username !== '' || url.password !== '')
    return { what: 'has a name or a password in it', remedy: 'take it out: webhooks are known by their signature' };
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'http:' || isLoopback) return null;
  return { what: 'would be sent without TLS', remedy: 'use https; http is for loopback only' };
}
