import { z } from 'zod';
import { addProblem, type Found, form, wanting } from './schema-problems.ts';
import { durationText, rateText, secretReference, wholeText } from './values.ts';

const LIFETIME_MIN_MS = 1_000;
const LIFETIME_MAX_MS = 30_000;

const baseUrl = z.string().superRefine((text, context) => {
  const fault = baseUrlFault(text);
  if (fault !== null) addProblem(context, fault);
});

/** How to reach a service and what it promises: a profile's file, and `service:` of a job. */
export const connection = z.strictObject({
  base_url: baseUrl.optional().describe('the service, such as https://payouts.example/; http on loopback only'),
  api_key: z.string().min(1).optional().describe('the id of the key; env:NAME and file:PATH say where it is'),
  signing_key_file: z.string().min(1).optional().describe('the private key, PKCS#8 PEM, mode 0600'),
  ca_file: z
    .string()
    .min(1)
    .optional()
    .describe("certificates (PEM) that are trusted too, such as of the company's own issuer"),
  signing: z
    .union(
      [
        z.literal('rfc9421').transform(() => ({ scheme: 'rfc9421' as const })),
        z.strictObject({
          scheme: z.literal('template'),
          headers: z.record(z.string(), z.string()),
          message: z.string(),
        }),
      ],
      form('signing'),
    )
    .optional()
    .describe('how requests are signed'),
  request_lifetime: durationText
    .refine((ms) => ms >= LIFETIME_MIN_MS && ms <= LIFETIME_MAX_MS, wanting({ form: 'request_lifetime' }))
    .optional()
    .describe('how long a request is valid, 1s to 30s'),
  guarantees: z
    .strictObject({
      enforces_expiry: z
        .union([z.boolean(), z.enum(['at_commit', 'at_arrival'])], form('expiry'))
        .transform((when) => (when === 'at_commit' ? true : when))
        .optional(),
      replay_protection: z.boolean().optional(),
      refusals_are_final: z.boolean().optional(),
    })
    .optional()
    .describe('what the service promises; false is never relied on'),
  commits_within: durationText
    .optional()
    .describe('with enforces_expiry: at_arrival, how long after its arrival a request may be committed'),
  listing_lag: durationText.optional().describe('how long a payout may be missing from the list of the service'),
  cursor: z.boolean().optional().describe('whether the list of the service has a cursor'),
  rate: rateText.optional().describe('requests a second, such as 10, 100/10s, 60/m; 0 for no limit'),
  concurrency: wholeText(1, 1_024).optional().describe('requests under way at once'),
  webhooks: z
    .strictObject({
      listen: z.string().min(1).describe('the address and port, such as 127.0.0.1:8795'),
      public_key: z.string().min(1).optional().describe('the key of the service, whpk_…'),
      secret: secretReference.optional().describe('env:NAME or file:PATH'),
    })
    .optional()
    .describe('where webhooks are received while a run lasts'),
});

export type Connection = z.output<typeof connection>;

/** Why a text is no address of a service that payouts may be sent to, or null. */
export function baseUrlFault(text: string): Found | null {
  const url = httpUrl(text);
  if (url === null || url.username || url.search || url.hash) return { wanted: { form: 'service_url' } };
  return isInTheClear(url) ? { code: 'in_the_clear', what: 'payouts' } : null;
}

/** Why a text is no address to which notices may be posted, or null. */
export function webhookUrlFault(text: string): Found | null {
  const url = httpUrl(text);
  if (url === null || url.hash || text !== text.trim()) return { wanted: { form: 'webhook_url' } };
  if (url.username || url.password) return { code: 'password_in_url' };
  return isInTheClear(url) ? { code: 'in_the_clear', what: 'notices' } : null;
}

function httpUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null;
}

/** Whether what is sent crosses a network without TLS. */
function isInTheClear({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
