import type { ServiceTrouble } from '../domain/outcomes/service-trouble.ts';
import { noteText } from './note-words.ts';
import { type Wording, wordingFor } from './refusals/refusal-words.ts';
import { either, t, textTable } from './translate.ts';

/**
 * What kept a request from its answer, and what a person can do about it, without a last full stop. `what` is a clause that says
 * all of it; null where no more is known than that there was no answer.
 */
export type TroubleWords = { what: Wording | null; remedy: Wording };

const askOperator = () => t`Ask the person who operates payrun to check`;

export function troubleWords(trouble: ServiceTrouble): TroubleWords {
  switch (trouble.code) {
    case 'not_reached':
      return { what: null, remedy: NOT_REACHED };
    case 'no_answer':
      return {
        what: t`the service takes the connection and does not answer`,
        remedy: {
          command_line: 'Check that the service itself listens at --base-url',
          page: t`${askOperator()} the service's address`,
        },
      };
    case 'proxy_asks':
    case 'proxy_refuses':
    case 'proxy_not_reached':
      return proxyWords(trouble);
    case 'too_many_requests':
      return {
        what: t`the service asks for fewer requests (HTTP 429)`,
        remedy: { command_line: 'Wait a minute, or lower --rate', page: t`Wait a minute` },
      };
    case 'unavailable':
      return { what: t`the service is unavailable (HTTP 503)`, remedy: t`Wait until it is back` };
    case 'failed':
      return {
        what: t`the service, or a proxy before it, failed (HTTP ${trouble.status})`,
        remedy: t`Wait a while. If it persists, ask the operator of the service`,
      };
    case 'no_such_service':
      return {
        what: {
          command_line: `whatever answers at --base-url is not the service (HTTP ${trouble.status})`,
          page: t`whatever answers at the service's address is not the service (HTTP ${trouble.status})`,
        },
        remedy: {
          command_line: `Check --base-url, and that no proxy or sign-in page answers in the service's place`,
          page: t`${askOperator()} the service's address, and that no proxy answers in its place`,
        },
      };
    case 'redirected':
      return {
        what: t`the service redirects${trouble.to === '' ? '' : t` to ${trouble.to}`} (HTTP ${trouble.status}), and a signed request is not redirected`,
        remedy: {
          command_line:
            'If that is the service, give its address as --base-url; a proxy or a sign-in page may also have answered in its place. Correct that',
          page: t`${askOperator()} the service's address; a proxy or a sign-in page may also have answered in its place`,
        },
      };
    default:
      return tlsWords(trouble);
  }
}

const NOT_REACHED: Wording = textTable({
  command_line: 'Check --base-url and that the service runs',
  get page() {
    return t`${askOperator()} the service's address, and that the service runs`;
  },
});

type ProxyTrouble = Extract<ServiceTrouble, { code: `proxy_${string}` }>;

function proxyWords(trouble: ProxyTrouble): TroubleWords {
  switch (trouble.code) {
    case 'proxy_asks':
      if (trouble.proxy === undefined)
        return {
          what: t`a proxy before the service asks for credentials (HTTP 407)`,
          remedy: {
            command_line: `Name the proxy in HTTPS_PROXY, have it let this machine through, or give the service's own address as --base-url`,
            page: t`${askOperator()} the service's address, and that the proxy lets this machine through`,
          },
        };
      return {
        what: t`the proxy ${trouble.proxy} asks for credentials (HTTP 407)`,
        remedy: {
          command_line:
            'Write them into HTTPS_PROXY, as http://USER:PASSWORD@HOST:PORT, or have the proxy let this machine through',
          page: t`${askOperator()} the proxy and its credentials`,
        },
      };
    case 'proxy_refuses':
      return {
        what: t`the proxy ${trouble.proxy} makes no connection with the service (HTTP ${trouble.status})`,
        remedy: {
          command_line: `Check --base-url, and that the proxy lets this machine reach the service. Where it is reached directly, name its host in NO_PROXY`,
          page: t`${askOperator()} the service's address, and that the proxy lets this machine through`,
        },
      };
    case 'proxy_not_reached':
      return {
        what: t`the proxy ${trouble.proxy} cannot be reached (${trouble.cause})`,
        remedy: {
          command_line:
            'Check HTTPS_PROXY, and that the proxy runs. Where the service is reached directly, name its host in NO_PROXY',
          page: t`${askOperator()} the proxy and its credentials`,
        },
      };
  }
}

type TlsTrouble = Extract<ServiceTrouble, { tls: string }>;

function tlsWords(trouble: TlsTrouble): TroubleWords {
  const { tls } = trouble;
  switch (trouble.code) {
    case 'certificate_untrusted':
      return {
        what: t`the service's certificate is not trusted (${tls})`,
        remedy: {
          command_line:
            'Check --base-url. If the certificate is the right one, name the file of its issuer as ca_file in the profile, or by NODE_EXTRA_CA_CERTS=FILE',
          page: t`${askOperator()} the service's address, and whether its certificate is the right one`,
        },
      };
    case 'certificate_out_of_time':
      return {
        what: t`the service's certificate ${either(trouble.isExpired, 'has expired', 'is not valid yet')} (${tls})`,
        remedy: t`Check this machine's clock. If it is right, the service needs a new certificate: ask who runs it`,
      };
    case 'certificate_of_another_host':
      return {
        what: t`the service's certificate is for another host (${tls})`,
        remedy: {
          command_line: 'Write the host in --base-url as the certificate names it',
          page: t`${askOperator()} the service's address`,
        },
      };
    case 'no_tls':
      return {
        what: t`no TLS connection can be made with the service (${tls})`,
        remedy: {
          command_line: 'Check the scheme and the port of --base-url: plain HTTP may be spoken there',
          page: t`${askOperator()} the service's address: plain HTTP may be spoken there`,
        },
      };
  }
}

/** Where nothing is known of what it was. */
export const NO_TROUBLE: TroubleWords = { what: null, remedy: NOT_REACHED };

/** What kept a read from its answer, as a clause for a longer sentence at the command line. */
export function failureText(failure: { message: string } | { trouble: ServiceTrouble }): string {
  if ('message' in failure) return failure.message;
  const { trouble } = failure;
  return trouble.code === 'not_reached'
    ? noteText(trouble.why)
    : wordingFor('command_line', troubleWords(trouble).what ?? '');
}
