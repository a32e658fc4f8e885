import type { Configuration } from 'openid-client';
import { z } from 'zod';
import { ROLES, type Role } from '../../app/people/grants.ts';
import type { Clock } from '../../platform/clock.ts';

/** Who signs people in, by OpenID Connect, and what their groups there make them here. */
export type ProviderSettings = {
  /** As the provider names itself: https, or http on loopback. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The claim of the ID token, or of the user info, that lists the groups. */
  groupsClaim: string;
  /** By group. */
  roles: ReadonlyMap<string, readonly Role[]>;
};

/** What this browser has to bring back from the provider. */
export type PendingSignIn = z.output<typeof pendingSignIn>;

export const pendingSignIn = z.object({
  state: z.string().min(1),
  nonce: z.string().min(1),
  verifier: z.string().min(1),
  next: z.string(),
});

/** Who came back. `roles` is empty where no group of theirs means anything here. */
export type ProviderPerson = { subject: string; name: string; roles: Role[]; idToken: string };

/** How far the provider's clock and ours may be apart. */
export const SKEW_MAX_SECONDS = 60;
const TIMEOUT_SECONDS = 10;

export const CALLBACK = '/sign-in/provider/callback';

const claimsShape = z.looseObject({
  sub: z.string().min(1).max(255),
  iat: z.number(),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
});

type Claims = z.output<typeof claimsShape>;

/** The provider by its discovery document: authorization code with PKCE, state and nonce. */
export class Provider {
  readonly settings: ProviderSettings;
  readonly #origin: string;
  readonly #clock: Pick<Clock, 'wallMs'>;
  #configuration: Promise<Configuration> | null = null;

  constructor(settings: ProviderSettings, origin: string, clock: Pick<Clock, 'wallMs'>) {
    this.settings = settings;
    this.#origin = origin;
    this.#clock = clock;
  }

  /** The host by which people know it. */
  get name(): string {
    return new URL(this.settings.issuer).host;
  }

  /** Where the browser goes, and what it brings back. Throws where the provider cannot be reached. */
  async begin(next: string): Promise<{ url: string; pending: PendingSignIn }> {
    const client = await import('openid-client');
    const verifier = client.randomPKCECodeVerifier();
    const pending = { state: client.randomState(), nonce: client.randomNonce(), verifier, next };
    const url = client.buildAuthorizationUrl(await this.#discovered(), {
      redirect_uri: `${this.#origin}${CALLBACK}`,
      scope: 'openid profile',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, pending };
  }

  /** Who came back with this query. Throws where it does not answer what this browser asked for, or the clocks are too far apart. */
  async finish(search: string, { state, nonce, verifier }: PendingSignIn): Promise<ProviderPerson> {
    const client = await import('openid-client');
    const tokens = await client.authorizationCodeGrant(
      await this.#discovered(),
      new URL(`${this.#origin}${CALLBACK}${search}`),
      { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
    );
    const claims = await this.#withUserInfo(claimsShape.parse(tokens.claims()), tokens.access_token);
    const skew = Math.abs(this.#clock.wallMs() / 1_000 - claims.iat);
    if (skew > SKEW_MAX_SECONDS) throw new Error(`the clocks are ${Math.round(skew)} s apart`);
    const groups = z.array(z.string()).catch([]).parse(claims[this.settings.groupsClaim]);
    const roles = new Set(groups.flatMap((group) => this.settings.roles.get(group) ?? []));
    return {
      subject: claims.sub,
      name: (claims.name ?? claims.preferred_username ?? '').trim(),
      roles: ROLES.filter((role) => roles.has(role)),
      idToken: tokens.id_token ?? '',
    };
  }

  /** Many providers tell the groups and the name when asked with the access token alone. What the ID token says counts. */
  async #withUserInfo(claims: Claims, accessToken: string): Promise<Claims> {
    const client = await import('openid-client');
    const configuration = await this.#discovered();
    const isWhole =
      claims[this.settings.groupsClaim] !== undefined && (claims.name ?? claims.preferred_username) !== undefined;
    if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    // It answers of the same subject, or this throws.
    const told = await client.fetchUserInfo(configuration, accessToken, claims.sub);
    return claimsShape.parse({ ...told, ...claims });
  }

  /** Where a person signs out at the provider too; null where it has no such place, or cannot be reached. */
  async signOutUrl(idToken: string): Promise<string | null> {
    const client = await import('openid-client');
    const configuration = await this.#discovered().catch(() => null);
    if (configuration?.serverMetadata().end_session_endpoint === undefined) return null;
    const asked = { id_token_hint: idToken, post_logout_redirect_uri: `${this.#origin}/sign-in` };
    return client.buildEndSessionUrl(configuration, asked).href;
  }

  /** Asked for once; again where that failed. */
  #discovered(): Promise<Configuration> {
    this.#configuration ??= this.#discover().catch((error: unknown) => {
      this.#configuration = null;
      throw error;
    });
    return this.#configuration;
  }

  async #discover(): Promise<Configuration> {
    const client = await import('openid-client');
    const { issuer, clientId, clientSecret } = this.settings;
    const isClear = issuer.startsWith('http:');
    return client.discovery(
      new URL(issuer),
      clientId,
      { [client.clockTolerance]: SKEW_MAX_SECONDS },
      client.ClientSecretBasic(clientSecret),
      { timeout: TIMEOUT_SECONDS, execute: isClear ? [client.allowInsecureRequests] : [] },
    );
  }
}
