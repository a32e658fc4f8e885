import { type ShownProfile, withKeys } from '../../app/people/connection-profile.ts';
import { nameFault } from '../../app/people/people.ts';
import { t } from '../../messages/translate.ts';
import { NAME_FAULTS } from '../people/access-words.ts';
import { readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { accountField, option } from '../shell/parts.ts';
import type { Web, WebContext } from '../web.ts';

const trimmed = text.transform((typed) => typed.trim());

const KEYS = { api_key: trimmed, signing_key_file: trimmed };

const PROFILE = {
  base_url: trimmed,
  ...KEYS,
  rate: trimmed,
  concurrency: trimmed,
  enforces_expiry: trimmed,
  replay_protection: trimmed,
  listing_lag: trimmed,
  commits_within: trimmed,
  webhook_listen: trimmed,
  webhook_public_key: trimmed,
  webhook_secret: trimmed,
};

const FORM = { ...PROFILE, name: trimmed, entity: trimmed, profile: text, current: text };

export type Typed = { readonly [Name in keyof typeof FORM]: string };

export const NOTHING_TYPED: Typed = {
  ...{ name: '', entity: '', profile: '', current: '', base_url: '', api_key: '', signing_key_file: '' },
  ...{ rate: '10/s', concurrency: '8', enforces_expiry: 'at_commit', replay_protection: 'yes', listing_lag: '' },
  ...{ commits_within: '', webhook_listen: '', webhook_public_key: '', webhook_secret: '' },
};

export function readConnectionForm(context: WebContext): Promise<Typed> {
  return readForm(context, FORM);
}

/** Keys that are to take the place of others. */
export function readKeysForm(context: WebContext): Promise<Pick<Typed, 'api_key' | 'signing_key_file' | 'current'>> {
  return readForm(context, { ...KEYS, current: text });
}

/** What was typed as a connection, or all that is wrong with it. */
export type ReadConnection =
  | { ok: true; name: string; entityId: string; profile: string }
  | { ok: false; problems: readonly string[] };

export async function connectionIn(web: Web, typed: Typed): Promise<ReadConnection> {
  const entity = await web.entities.get(typed.entity);
  const fault = nameFault(typed.name);
  const isWritten = typed.profile.trim() !== '';
  const read = web.deps.services.read(isWritten ? typed.profile : JSON.stringify(profileOf(typed)));
  const problems = [
    ...(fault === null ? [] : [NAME_FAULTS[fault]]),
    ...(entity === null ? [t`Choose the entity that pays over it.`] : []),
    ...(read.ok ? [] : read.problems.map((one) => (isWritten ? one : withoutPlace(one)))),
  ];
  if (problems.length > 0 || !read.ok || entity === null) return { ok: false, problems };
  return { ok: true, name: typed.name, entityId: entity.id, profile: read.profile };
}

/** The profile with other keys; or what is wrong with these. */
export function rotatedProfile(web: Web, profile: string, keys: Pick<ShownProfile, 'api_key' | 'signing_key_file'>) {
  const read = web.deps.services.read(withKeys(profile, keys));
  return read.ok ? read : { ...read, problems: read.problems.map(withoutPlace) };
}

/** The members of a profile as a YAML file has them: what is empty is left out. */
function profileOf(typed: Typed): Record<string, unknown> {
  const { enforces_expiry, replay_protection, webhook_listen, webhook_public_key, webhook_secret } = typed;
  const named = [
    'base_url',
    'api_key',
    'signing_key_file',
    'rate',
    'concurrency',
    'listing_lag',
    'commits_within',
  ] as const;
  const secret = /^(env:.*|file:.*|)$/.test(webhook_secret) ? webhook_secret : `file:${webhook_secret}`;
  const webhooks = { listen: webhook_listen, public_key: webhook_public_key, secret };
  const filled = (members: Record<string, string>) => Object.entries(members).filter(([, value]) => value !== '');
  return {
    ...Object.fromEntries(filled(Object.fromEntries(named.map((name) => [name, typed[name]])))),
    guarantees: {
      enforces_expiry: enforces_expiry === 'no' ? false : enforces_expiry,
      replay_protection: replay_protection === 'yes',
    },
    ...(webhook_listen !== '' && { webhooks: Object.fromEntries(filled(webhooks)) }),
  };
}

/** Nobody wrote the text in which the problem is at 1:40. */
function withoutPlace(problem: string): string {
  return problem.replace(/^profile:\d+:\d+: /, '');
}

type FormParts = { entities: readonly { id: string; name: string }[]; person: string; isRequired?: boolean };

/** The form of a new connection. */
export function connectionForm(web: Web, typed: Typed, { entities, person }: FormParts): Html {
  const field = (name: keyof Typed, label: string, hint: Html | string | null, attributes: Html | null = null) =>
    html`<label>${label} <input name="${name}" value="${typed[name]}" maxlength="500" autocomplete="off" spellcheck="false"${attributes}>${hint && html`<span class="soft small">${hint}</span>`}</label>`;
  const entity = html`<label>Entity <select name="entity">${entities.map(({ id, name }) => option(id, name, id === typed.entity))}</select></label>`;
  return html`<form method="post" action="/settings/connections">
${accountField(person)}
${field('name', t`Name`, t`The name people choose, such as Northwind production.`, html` required`)}
${entities.length > 1 ? entity : html`<input type="hidden" name="entity" value="${entities[0]?.id}">`}
${field('base_url', t`Address of the service`, t`From your payment provider, such as https://payouts.northwind.example/`)}
${keyFields(web, typed)}
${field('rate', t`Requests`, t`The maximum, such as 10/s or 100/m. Ask your provider for its limit.`)}
${field('concurrency', t`Requests at once`, null)}
<details><summary>Service guarantees</summary><div class="inside stack">
<p class="soft">Ask your IT team or your provider. If you do not know, choose no: payrun then assumes less and asks a person more often.</p>
<label>It rejects a request after its deadline <select name="enforces_expiry">${option('at_commit', t`Yes, also when it commits`, typed.enforces_expiry === 'at_commit')}${option('at_arrival', t`Only when the request arrives`, typed.enforces_expiry === 'at_arrival')}${option('no', t`No`, typed.enforces_expiry === 'no')}</select></label>
<label>It rejects a repeated signed request <select name="replay_protection">${option('yes', t`Yes`, typed.replay_protection === 'yes')}${option('no', t`No`, typed.replay_protection !== 'yes')}</select></label>
${field('listing_lag', t`A payout can be missing from its list for`, t`Such as 30s; leave empty if unknown.`)}
${field('commits_within', t`Committed after its arrival within`, t`Only if the deadline is checked when a request arrives, such as 10s.`)}
</div></details>
<details><summary>Webhooks of the service</summary><div class="inside stack">
${field('webhook_listen', t`Received at`, t`An address and port of this host, such as 127.0.0.1:8795. If empty, payrun polls instead.`)}
${field('webhook_public_key', t`Public key of the service`, t`whpk_…`)}
${field('webhook_secret', t`Or a shared secret`, t`Where it is: a file in the keys folder, or env:PAYRUN_KEY_…`)}
</div></details>
<details${typed.profile !== '' && html` open`}><summary>Paste a profile instead</summary><div class="inside stack">
<label>Connection profile (YAML) <textarea name="profile" rows="10" maxlength="16000" spellcheck="false" class="code">${typed.profile}</textarea><span class="soft small">This replaces the fields above.</span></label>
</div></details>
${passwordField()}
<div class="row"><button class="primary">Add and test</button><a class="button" href="/settings/connections">Cancel</a></div>
</form>`;
}

/** References to keys: nobody types a key here. */
export function keyFields({ deps: { services } }: Web, typed: Pick<Typed, 'api_key' | 'signing_key_file'>): Html {
  const files = services.keyFiles();
  return html`<label>API key id <input name="api_key" value="${typed.api_key}" maxlength="128" autocomplete="off" spellcheck="false"><span class="soft small">It identifies the key and is not secret, such as key_123.</span></label>
<label>Signing key <input name="signing_key_file" value="${typed.signing_key_file}" list="key-files" maxlength="200" autocomplete="off" spellcheck="false"><span class="soft small">The name of a file in ${services.keysFolder}, or env:PAYRUN_KEY_… The operator of the host puts it there (PKCS#8 PEM, mode 0600). The key itself is never shown or typed here.</span></label>
<datalist id="key-files">${files.map((name) => html`<option value="${name}">`)}</datalist>`;
}

/** Whose session it is may be another question than who sits there: what decides where money goes asks again. */
export function passwordField(): Html {
  return html`<label>Your password <input type="password" name="current" required autocomplete="current-password"></label>`;
}
