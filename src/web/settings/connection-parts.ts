import { shownProfileOf } from '../../app/people/connection-profile.ts';
import type { ConnectionTest, KeptConnection } from '../../app/people/connections.ts';
import { messages } from '../../messages/messages.ts';
import { t, textTable } from '../../messages/translate.ts';
import type { PageConnection } from '../page-connections.ts';
import { type Html, html } from '../shell/html.ts';
import { modeBadge } from '../shell/mode.ts';
import { accountField, type Column, facts, moment, type Problem, table } from '../shell/parts.ts';
import type { Web } from '../web.ts';
import { keyFields, passwordField, type Typed } from './connection-form.ts';

/** All connections, in the order in which they are offered. */
export function connectionTable(connections: readonly PageConnection[], hasEntities: boolean): Html {
  const columns: Column<PageConnection>[] = [
    [
      t`Name`,
      ({ id, name, kept }) => (kept === null ? name : html`<a href="/settings/connections/${id}">${name}</a>`),
      'head',
    ],
    [t`Mode`, ({ isRehearsal }) => modeBadge(isRehearsal)],
    [t`Service`, ({ service }) => html`<span class="soft">${service}</span>`],
    ...(hasEntities ? [[t`Entity`, ({ entity }: PageConnection) => entity.name] as const] : []),
    [t`Last test`, ({ kept }) => kept?.test && moment(kept.test.at), 'small'],
    [t`Status`, statusOf],
  ];
  return table(t`Connections`, columns, connections);
}

/** Whether something can be paid over it, as a word. */
export function statusOf({ kept }: PageConnection): Html {
  if (kept === null) return html`<span class="status completed">Built in</span>`;
  if (kept.disabledAt !== null) return html`<span class="status not_submitted">Disabled</span>`;
  if (kept.test === null) return html`<span class="status unresolved">Not tested</span>`;
  return kept.test.ok
    ? html`<span class="status completed">Working</span>`
    : html`<span class="status failed">Test failed</span>`;
}

export type Names = ReadonlyMap<string, string>;

/** What is known of one, and what can be done with it. `person` is who looks. */
export function detailPart(
  web: Web,
  connection: PageConnection & { kept: KeptConnection },
  {
    names,
    person,
    keys,
  }: { names: Names; person: { id: string; name: string }; keys: Pick<Typed, 'api_key' | 'signing_key_file'> | null },
): Html {
  const { kept, name, isRehearsal, entity } = connection;
  const profile = shownProfileOf(kept.profile);
  const path = `/settings/connections/${kept.id}`;
  const by = (id: string, at: number) => html`${names.get(id) ?? 'somebody'}, ${moment(at, 'sentence')}`;
  const more = Object.entries(profile).filter(([member]) => !NAMED.has(member));
  const details = facts([
    [t`Entity`, entity.name],
    [t`Service`, profile.base_url],
    [t`API key id`, html`<span class="id">${profile.api_key}</span>`],
    [t`Signing key`, html`by reference <span class="id">${profile.signing_key_file}</span>`],
    ...more.map(([member, value]) => [MEMBERS[member] ?? member, plain(value)] as const),
    [t`Added`, by(kept.addedBy, kept.addedAt)],
    [t`Keys rotated`, kept.revision > 1 ? by(kept.changedBy, kept.changedAt) : null],
    [t`Confirmed`, kept.confirmedAt === null ? null : by(kept.confirmedBy ?? '', kept.confirmedAt)],
    [t`Id, for programs`, html`<span class="id">${kept.id}</span>`],
  ]);
  return html`<section class="stack" aria-labelledby="connection">
<div class="head"><h2 id="connection">${name} ${modeBadge(isRehearsal)} ${statusOf(connection)}</h2>
<form method="post" action="${path}/test"><button>Test now</button></form></div>
${confirmPart(kept, { path, person, names })}
${unwatchedPart(web, connection)}
<div class="columns"><div class="stack"><h3>Details</h3>${details}</div>
<div class="stack"><h3>Last test</h3>${testPart(kept)}</div></div>
${rotatePart(web, { path, keys: keys ?? profile, person: person.name })}
${disablePart(kept, path)}</section>`;
}

/** That payouts which came back over it are not noticed, and why. */
function unwatchedPart(web: Web, connection: PageConnection): Html | null {
  const reason = web.connections.whyUnwatched(connection);
  if (reason === null) return null;
  const { message, remedy } = messages.refusals.refusalOfTest({ reason });
  return html`<div class="notice care"><p><strong>Payouts over it that come back are not noticed: returns could not be looked for.</strong> ${message}</p><p>${remedy}</p></div>`;
}

const NAMED: ReadonlySet<string> = new Set(['base_url', 'api_key', 'signing_key_file']);

/** Members of a profile as people read them. */
const MEMBERS: Readonly<Record<string, string>> = textTable({
  rate: 'Requests',
  concurrency: 'Requests at once',
  guarantees: 'Promises',
  signing: 'Signatures',
  request_lifetime: 'A request lives',
  commits_within: 'Committed within',
  listing_lag: 'Missing from its list for',
  cursor: 'List has a cursor',
  webhooks: 'Webhooks',
  enforces_expiry: 'enforces expiry',
  replay_protection: 'replay protection',
  listen: 'listens at',
  public_key: 'public key',
  secret: 'secret',
});

const VALUES: Readonly<Record<string, string>> = textTable({ at_commit: 'at commit', at_arrival: 'at arrival' });

function plain(value: unknown): string {
  if (value === true) return t`yes`;
  if (value === false) return t`no`;
  if (typeof value !== 'object' || value === null) return VALUES[String(value)] ?? String(value);
  return Object.entries(value)
    .map(([name, part]) => `${MEMBERS[name] ?? name} ${plain(part)}`)
    .join(', ');
}

/** Why a test failed, in the words of who reads it now. */
export function testWords({ message, remedy, refusal }: Extract<ConnectionTest, { ok: false }>): Problem {
  return refusal === undefined ? { message, remedy } : messages.refusals.refusalOfTest({ reason: refusal });
}

/** What one signed read call showed. */
function testPart({ test }: KeptConnection): Html {
  const note = html`<p class="soft small">A test signs one read request. It creates nothing and moves nothing.</p>`;
  if (test === null) return html`<p>Not tested yet. Nothing can be paid over it.</p>${note}`;
  if (!test.ok) {
    const { message, remedy } = testWords(test);
    return html`<div class="notice wrong"><p><strong>${message}</strong></p><p>${remedy}</p></div><p class="small">${moment(test.at)}. Nothing new is paid over it until a test passes.</p>${note}`;
  }
  const clock =
    test.aheadMs === null
      ? t`not shown by the service`
      : t`${Math.round(Math.abs(test.aheadMs) / 1_000)} s apart; up to 5 s is fine`;
  const steps = facts([
    [t`Reached and signature accepted`, `${test.tookMs} ms`],
    [t`Mode`, modeBadge(test.isRehearsal)],
    [t`Balances`, test.currencies.length === 0 ? t`none` : test.currencies.join(', ')],
    [t`Clock`, clock],
    [t`Tested`, moment(test.at)],
  ]);
  return html`${steps}${note}`;
}

/** Where another administrator has not looked at it yet. */
function confirmPart(
  { changedBy, changedAt, confirmedAt, revision }: KeptConnection,
  { path, person, names }: { path: string; person: { id: string }; names: Names },
): Html | null {
  if (confirmedAt !== null) return null;
  const what = revision === 1 ? 'added' : 'rotated';
  const who = names.get(changedBy) ?? 'somebody';
  const how =
    person.id === changedBy
      ? html`<p>Until another administrator confirms it, every plan over it shows this to its approver, and you cannot approve any.</p>`
      : html`<form method="post" action="${path}/confirm"><button>Confirm this connection</button></form>`;
  return html`<div class="notice care"><p><strong>${who} ${what} it on ${moment(changedAt, 'sentence')}, and nobody has confirmed that.</strong> Check with them that the service and the key are the right ones.</p>${how}</div>`;
}

function rotatePart(
  web: Web,
  { path, keys, person }: { path: string; keys: Pick<Typed, 'api_key' | 'signing_key_file'>; person: string },
): Html {
  return html`<details class="card" id="rotate"><summary>Rotate the keys</summary><form class="inside" method="post" action="${path}/rotate">
<p>Create a new key, register its public key with your provider, and have the new key put beside the old one. It signs a test first: if that fails, the old one stays.</p>
<ul><li>Payments under way keep the old key until they finish. Keep it active until then.</li>
<li>A payment that is resumed later uses the new one.</li>
<li>With a different key ID, plans awaiting approval must be made again, and unpaid rows must be uploaded as a new file.</li></ul>
${accountField(person)}${keyFields(web, keys)}${passwordField()}
<button>Test and switch</button></form></details>`;
}

function disablePart({ disabledAt, test }: KeptConnection, path: string): Html {
  if (disabledAt !== null)
    return html`<section class="card" aria-labelledby="enable"><h3 id="enable">Disabled on ${moment(disabledAt, 'sentence')}</h3><p>Nothing is planned or started over it.</p><form method="post" action="${path}/enable"><button>Enable it again</button></form></section>`;
  return html`<details class="card" id="disable"><summary>Disable this connection</summary><form class="inside" method="post" action="${path}/disable">
<p>From then on nothing is planned or started over it, even if already approved. ${test?.ok && t`Payments under way go on to their end.`}</p>
<button class="danger">Disable it</button></form></details>`;
}
