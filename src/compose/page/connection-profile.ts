import { join } from 'node:path';
import type { ReadProfile } from '../../app/people/connection-profile.ts';
import { connection } from '../../job/connection.ts';
import { readYaml } from '../../job/yaml-file.ts';
import { messages } from '../../messages/messages.ts';
import { readEndpointUrl } from '../../service/webhooks/endpoint-url.ts';
import { listenAddress } from '../profile.ts';

/** The folder below the data directory from which the page may use keys. Only who operates the host puts any there. */
export const KEYS_FOLDER = 'keys';

/** Variables of the environment that the page may use as keys begin with this. */
export const KEY_VARIABLE = 'PAYRUN_KEY_';

const FILE_NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;
const KEY_ID = /^[\w.:-]{1,128}$/;
const PROFILE_BYTES_MAX = 16 * 1024;

type Written = {
  base_url?: string;
  api_key?: string;
  signing_key_file?: string;
  ca_file?: string;
  webhooks?: { secret?: string };
};

/**
 * Reads a profile (YAML) that an administrator of the page wrote. They do not operate the host, and what they write is what a
 * stranger could: a key is a reference to what the operator put into the keys folder, or into a variable for keys; no file is
 * read for anything that is sent; and a service stands at a public address, behind TLS, unless the operator allows others.
 */
export function readConnectionProfile(text: string, allowPrivate: boolean): ReadProfile {
  if (text.length > PROFILE_BYTES_MAX) return { ok: false, problems: ['The profile is longer than 16 KiB.'] };
  const read = readYaml(text, connection, 'profile');
  if (!read.ok)
    return { ok: false, problems: read.problems.map((one) => messages.files.fileProblemLine('profile', one)) };
  const written = (read.written ?? {}) as Written;
  const at = (...path: string[]) => `${read.whereIs(path)}: ${path.join('.')}`;
  const problems = [
    ...addressProblems(read.value.base_url, allowPrivate, at('base_url')),
    ...keyIdProblems(written.api_key, at('api_key')),
    ...referenceProblems(written.signing_key_file, at('signing_key_file')),
    ...(written.ca_file === undefined ? [] : fileProblems(written.ca_file, at('ca_file'), 'corporate-ca.pem')),
    ...(read.value.signing?.scheme === 'template' ? [`${at('signing')}: ${NO_TEMPLATE}`] : []),
    ...(read.value.webhooks === undefined
      ? []
      : webhookProblems(read.value.webhooks, (...path) => at('webhooks', ...path))),
  ];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, profile: JSON.stringify(written) };
}

/** The profile as this host can use it: references name files in its own keys folder. `dataDir` as it was given. */
export function profileHere(profile: string, dataDir: string): string {
  const written = JSON.parse(profile) as Written;
  const { signing_key_file: key, ca_file: trusted, webhooks } = written;
  return JSON.stringify({
    ...written,
    ...(key !== undefined && { signing_key_file: keyHere(key, dataDir) }),
    ...(trusted !== undefined && { ca_file: keyHere(trusted, dataDir) }),
    ...(webhooks?.secret !== undefined && { webhooks: { ...webhooks, secret: secretHere(webhooks.secret, dataDir) } }),
  });
}

const NO_TEMPLATE =
  'only rfc9421 is taken here. A text that is signed by a template names no host, so its signature would be good at another one. Such a service is named by --profile.';

function addressProblems(url: string | undefined, allowPrivate: boolean, at: string): string[] {
  if (url === undefined) return [`${at}: the address of the service is missing.`];
  const read = readEndpointUrl(url, allowPrivate);
  if (read.ok) return [];
  const why = read.problem.replace(/;.*$/s, '');
  const how = allowPrivate
    ? ''
    : ' Addresses inside your network are taken where payrun is started with --allow-private-services.';
  return [`${at}: the address ${why}.${how}`];
}

/** It is sent with each request, so nothing is read for it from anywhere. */
function keyIdProblems(id: string | undefined, at: string): string[] {
  if (id === undefined) return [`${at}: the id of the API key is missing.`];
  if (/^(?:env|file):/.test(id) || !KEY_ID.test(id))
    return [`${at}: write the id itself, as the service shows it, such as key_123. It is sent with each request.`];
  return [];
}

function referenceProblems(reference: string | undefined, at: string): string[] {
  if (reference === undefined) return [`${at}: the signing key is missing.`];
  if (reference.startsWith('env:')) return variableProblems(reference, at);
  const name = reference.startsWith('file:') ? reference.slice('file:'.length) : reference;
  return FILE_NAME.test(name)
    ? []
    : [`${at}: name a file in the keys folder without its path, such as northwind.pem, or a variable, ${EXAMPLE}.`];
}

/** The certificates of a company's own issuer lie beside its keys. */
function fileProblems(name: string, at: string, example: string): string[] {
  return FILE_NAME.test(name) ? [] : [`${at}: name a file in the keys folder without its path, such as ${example}.`];
}

const EXAMPLE = `such as env:${KEY_VARIABLE}NORTHWIND`;

function variableProblems(reference: string, at: string): string[] {
  return /^env:PAYRUN_KEY_[A-Z0-9_]{1,80}$/.test(reference)
    ? []
    : [`${at}: variables of keys begin with ${KEY_VARIABLE}, ${EXAMPLE}.`];
}

function webhookProblems(
  { listen, secret }: { listen: string; secret?: string | undefined },
  at: (...path: string[]) => string,
): string[] {
  const port = listenAddress(listen)?.port ?? 0;
  return [
    ...(port >= 1_024 ? [] : [`${at('listen')}: write an address of this machine and a port from 1024 on.`]),
    ...(secret === undefined ? [] : referenceProblems(secret, at('secret'))),
  ];
}

function keyHere(reference: string, dataDir: string): string {
  if (reference.startsWith('env:')) return reference;
  return join(dataDir, KEYS_FOLDER, reference.replace(/^file:/, ''));
}

function secretHere(reference: string, dataDir: string): string {
  return reference.startsWith('env:') ? reference : `file:${keyHere(reference, dataDir)}`;
}
