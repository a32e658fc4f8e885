import { z } from 'zod';
import { NOTIFY_EVENTS } from '../domain/notify.ts';
import { text } from './member-schemas.ts';

export const notifyEvent = z.enum(NOTIFY_EVENTS);

const mailbox = z.strictObject({ name: text.nullable(), address: text });

export const notify = z.strictObject({
  on: z.array(notifyEvent),
  email: z.strictObject({ to: z.array(text), from: mailbox, smtp: text }).nullable(),
  webhook: z.strictObject({ url: text, secret: text }).nullable(),
  remittance: z
    .strictObject({ subject: text, body: text, company: text.nullable(), from: mailbox, smtp: text })
    .nullable(),
});
