import { isSilent } from './silence.ts';
import type { Sent } from './transport.ts';

/**
 * What kept a read from its answer, and what a person can do about it, without a last full stop. `what` is a clause that says all
 * of it; where no more is known than that there was no answer, it is null, and `why` is the network's own word.
 */
export type Trouble = { what: string; remedy: string } | { what: null; why: string; remedy: string };

/** What an answer that is none of the contract, or no answer, means for a person. Pure. */
export function troubleOf(sent: Sent): Trouble {
  switch (sent.kind) {
    case 'answer':
      return answerTrouble(sent.status, sent.headers.location);
    case 'not_connected':
      return tlsTrouble(sent.code ?? '') ?? NOT_REACHED(`no connection was made (${sent.reason})`);
    case 'lost':
      return isSilent(sent) ? NO_ANSWER : NOT_REACHED(`the answer was lost (${sent.reason})`);
    case 'withheld':
      return NOT_REACHED('the deadline passed before the request could be sent');
  }
}

const NOT_REACHED = (why: string): Trouble => ({
  what: null,
  why,
  remedy: 'Check --base-url and that the service runs',
});

const NO_ANSWER: Trouble = {
  what: 'the service takes the connection and does not answer',
  remedy: 'Check that the service itself listens at --base-url',
};

function answerTrouble(status: number, location: string | string[] | undefined): Trouble {
  if (status >= 300 && status < 400) return redirected(status, location);
  switch (status) {
    case 407:
      return {
        what: 'a proxy before the service asks for credentials (HTTP 407)',
        remedy: `payrun signs in at no proxy. Have the proxy let this machine through, or give the service's own address as --base-url`,
      };
    case 429:
      return {
        what: 'the service asks for fewer requests (HTTP 429)',
        remedy: 'Wait a minute, or lower --rate',
      };
    case 503:
      return { what: 'the service is unavailable (HTTP 503)', remedy: 'Wait until it is back' };
    default:
      if (status >= 500)
        return {
          what: `the service, or a proxy before it, failed (HTTP ${status})`,
          remedy: 'Wait a while, and if it stays so ask who runs the service',
        };
      return {
        what: `what answers at --base-url does not answer as the service does (HTTP ${status})`,
        remedy: `Check --base-url, and that no proxy or sign-in page answers in the service's place`,
      };
  }
}

const LOCATION_MAX = 200;

/** Where it leads is written by whoever answered: without what a terminal would obey. */
function redirected(status: number, location: string | string[] | undefined): Trouble {
  const to = typeof location === 'string' ? location.replace(/[^\x21-\x7e]/g, '').slice(0, LOCATION_MAX) : '';
  return {
    what: `the service redirects${to === '' ? '' : ` to ${to}`} (HTTP ${status}), and a signed request is not redirected`,
    remedy:
      'If that is the service, give its address as --base-url; a proxy or a sign-in page may also have answered in its place. Correct that',
  };
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
function tlsTrouble(code: string): Trouble | null {
  if (UNTRUSTED.has(code))
    return {
      what: `the service's certificate is not trusted (${code})`,
      remedy:
        'Check --base-url. If the certificate is the right one, name the file of whoever issued it, NODE_EXTRA_CA_CERTS=FILE',
    };
  switch (code) {
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return {
        what: `the service's certificate ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'} (${code})`,
        remedy: `Check this machine's clock. If it is right, the service needs a new certificate: ask who runs it`,
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        what: `the service's certificate is for another host (${code})`,
        remedy: 'Write the host in --base-url as the certificate names it',
      };
    default:
      if (!/^(EPROTO|ERR_SSL_|ERR_TLS_)/.test(code)) return null;
      return {
        what: `no TLS connection can be made with the service (${code})`,
        remedy: 'Check the scheme and the port of --base-url: plain HTTP may be spoken there',
      };
  }
}
