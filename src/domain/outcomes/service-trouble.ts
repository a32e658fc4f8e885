import { z } from 'zod';
import { note } from '../entries/note.ts';

const status = z.number();
/** OpenSSL's name of what is wrong. */
const tls = z.string();

/** What kept a request from its answer. */
export const serviceTrouble = z.discriminatedUnion('code', [
  z.object({ code: z.literal('not_reached'), why: note }),
  z.object({ code: z.literal('no_answer') }),
  /** `proxy`: the one of HTTPS_PROXY, `host:port`; absent where another one answered in the service's place. */
  z.object({ code: z.literal('proxy_asks'), proxy: z.string().optional() }),
  z.object({ code: z.literal('proxy_refuses'), proxy: z.string(), status }),
  /** `cause`: what the system says. */
  z.object({ code: z.literal('proxy_not_reached'), proxy: z.string(), cause: z.string() }),
  z.object({ code: z.literal('too_many_requests') }),
  z.object({ code: z.literal('unavailable') }),
  z.object({ code: z.literal('failed'), status }),
  z.object({ code: z.literal('no_such_service'), status }),
  /** `to`: where it leads, in ASCII; empty where that is not known. */
  z.object({ code: z.literal('redirected'), status, to: z.string() }),
  z.object({ code: z.literal('certificate_untrusted'), tls }),
  z.object({ code: z.literal('certificate_out_of_time'), tls, isExpired: z.boolean() }),
  z.object({ code: z.literal('certificate_of_another_host'), tls }),
  z.object({ code: z.literal('no_tls'), tls }),
]);
export type ServiceTrouble = z.output<typeof serviceTrouble>;
