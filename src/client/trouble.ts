import type { ServiceTrouble } from '../domain/outcomes/service-trouble.ts';
import { isSilent, type Sent } from './transport.ts';

/** What an answer that is none of the contract, or no answer, means for a person. Pure. */
export function troubleOf(sent: Sent): ServiceTrouble {
  switch (sent.kind) {
    case 'answer':
      return answerTrouble(sent.status, sent.headers.location);
    case 'not_connected':
      if (sent.proxy !== undefined) return proxyTrouble(sent.proxy, sent.reason);
      return tlsTrouble(sent.code ?? '') ?? { code: 'not_reached', why: { code: 'no_connection', cause: sent.reason } };
    case 'lost':
      return isSilent(sent)
        ? { code: 'no_answer' }
        : { code: 'not_reached', why: { code: 'answer_lost', cause: sent.reason } };
    case 'withheld':
      return { code: 'not_reached', why: { code: 'too_late' } };
  }
}

function proxyTrouble({ name: proxy, status }: { name: string; status: number | null }, cause: string): ServiceTrouble {
  if (status === null) return { code: 'proxy_not_reached', proxy, cause };
  return status === 407 ? { code: 'proxy_asks', proxy } : { code: 'proxy_refuses', proxy, status };
}

function answerTrouble(status: number, location: string | string[] | undefined): ServiceTrouble {
  if (status >= 300 && status < 400) return { code: 'redirected', status, to: placeOf(location) };
  switch (status) {
    case 407:
      return { code: 'proxy_asks' };
    case 429:
      return { code: 'too_many_requests' };
    case 503:
      return { code: 'unavailable' };
    default:
      return { code: status >= 500 ? 'failed' : 'no_such_service', status };
  }
}

const LOCATION_MAX = 200;

/** A stranger may have written where it leads: without what a terminal would obey. */
function placeOf(location: string | string[] | undefined): string {
  return typeof location === 'string' ? location.replace(/[^\x21-\x7e]/g, '').slice(0, LOCATION_MAX) : '';
}

/** Names of OpenSSL, as Node gives them: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
]);

/** Null where it is nothing about TLS. */
function tlsTrouble(tls: string): ServiceTrouble | null {
  if (UNTRUSTED.has(tls)) return { code: 'certificate_untrusted', tls };
  switch (tls) {
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return { code: 'certificate_out_of_time', tls, isExpired: tls === 'CERT_HAS_EXPIRED' };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return { code: 'certificate_of_another_host', tls };
    default:
      return /^(EPROTO|ERR_SSL_|ERR_TLS_)/.test(tls) ? { code: 'no_tls', tls } : null;
  }
}
