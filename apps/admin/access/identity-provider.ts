import { Inject, Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import { type Logger, LOGGER, Problem } from '#platform';
import { CONSOLE_ORIGIN } from '../admin-config.js';
import { IDENTITY_PROVIDER, type IdentityProviderConfig } from '../identity-provider-config.js';
import { lowerCaseEmail } from './email.js';
import type { ConsoleOrigin } from './session-cookie.js';

/** The page of the console to which the identity provider returns the browser. */
const CALLBACK_PATH = '/sign-in/callback';
const TIMEOUT_SECONDS = 5;
/** The addresses and features of the identity provider are read again after this time. */
const DISCOVERED_MS = 3_600_000;

/**
 * The values of `acr` that mean that a second factor was used, as REFEDS and PAPE define them.
 * Other values have no common meaning or mean something else: `phr` and `phrh` state only that the
 * sign-in resists phishing, which is also true of a sign-in with a security key alone.
 */
const SECOND_FACTOR_ACR = [
  'https://refeds.org/profile/mfa',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
];

/** The values that the provider's answer to a sign-in must contain or match. */
export interface Expected {
  readonly state: string;
  readonly nonce: string;
  /**
   * The PKCE verifier. It proves to the identity provider that this app requested the authorization
   * code.
   */
  readonly verifier: string;
}

/** A person as the identity provider knows them. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /**
   * The email address in lower case. Null if the identity provider shows no ASCII address, or does
   * not state that it has verified the address.
   */
  readonly email: string | null;
  /** Whether the provider shows an email address that it has not verified. */
  readonly hasUnverifiedEmail: boolean;
  /** Whether the person gave the provider a second factor (`amr` or `acr` of the ID token). */
  readonly gaveSecondFactor: boolean;
}

const unavailable = (): Problem =>
  new Problem(
    503,
    'identity_provider_unavailable',
    'the identity provider does not respond: try again, or sign in with your password',
    { headers: { 'retry-after': '5' } },
  );

const refusedThere = (): Problem =>
  new Problem(
    403,
    'identity_provider_refused',
    'the identity provider refused the sign-in: try again, or sign in with your password',
  );

const invalidAnswer = (): Problem =>
  new Problem(
    403,
    'identity_token_invalid',
    'the answer of the identity provider is invalid or expired: begin the sign-in again',
  );

/**
 * Sends the client's secret in the Authorization header, which every provider must support, unless
 * the provider's metadata lists only other methods.
 */
const authenticate =
  (secret: string): oidc.ClientAuth =>
  (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const method = methods.includes('client_secret_basic')
      ? oidc.ClientSecretBasic
      : oidc.ClientSecretPost;
    method(secret)(server, ...rest);
  };

const discover = ({ issuer, clientId, clientSecret }: IdentityProviderConfig) =>
  oidc.discovery(new URL(issuer), clientId, {}, authenticate(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    execute: [
      // Checks the signatures of ID tokens; by default the library relies on the TLS connection.
      oidc.enableNonRepudiationChecks,
      // An issuer with http is allowed in development only: the settings refuse it in production.
      ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
    ],
  });

const textOf = (claim: unknown): string | null => (typeof claim === 'string' ? claim : null);

/** Signs people in at an OpenID provider, by the authorization code flow with PKCE. */
@Injectable()
export class IdentityProvider {
  private discovering: Promise<oidc.Configuration> | null = null;
  private discovered: { readonly at: number; readonly client: oidc.Configuration } | null = null;

  constructor(
    @Inject(IDENTITY_PROVIDER) private readonly config: IdentityProviderConfig | null,
    @Inject(CONSOLE_ORIGIN) private readonly at: ConsoleOrigin,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The name of the provider on the sign-in page; null: users sign in with passwords only. */
  get label(): string | null {
    return this.config?.label ?? null;
  }

  /**
   * Returns the address at which the browser signs in, and what the provider's answer must contain.
   * Throws `Problem` 404 without a provider, 503.
   */
  async begin(): Promise<{ readonly url: string; readonly expected: Expected }> {
    const client = await this.client();
    const expected = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    };
    const url = oidc.buildAuthorizationUrl(client, {
      redirect_uri: `${this.at.origin}${CALLBACK_PATH}`,
      scope: 'openid email',
      state: expected.state,
      nonce: expected.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(expected.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, expected };
  }

  /**
   * Exchanges the code in the answer for an ID token, and verifies it. `query`: the query of the
   * callback page. Throws `Problem` 403, 503.
   */
  async identify(query: string, { state, nonce, verifier }: Expected): Promise<Identity> {
    const client = await this.client();
    const answer = new URL(`${this.at.origin}${CALLBACK_PATH}`);
    answer.search = query;
    try {
      const tokens = await oidc.authorizationCodeGrant(client, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw invalidAnswer();
      // Most identity providers return the email address only in the response to this second
      // request.
      const person =
        claims['email'] === undefined && client.serverMetadata().userinfo_endpoint !== undefined
          ? await oidc.fetchUserInfo(client, tokens.access_token, claims.sub)
          : claims;
      const email = lowerCaseEmail(textOf(person['email']) ?? '');
      const isVerified = person['email_verified'] === true;
      const { amr } = claims;
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: isVerified ? email : null,
        hasUnverifiedEmail: email !== null && !isVerified,
        gaveSecondFactor:
          (Array.isArray(amr) && amr.includes('mfa')) ||
          SECOND_FACTOR_ACR.includes(String(claims['acr'])),
      };
    } catch (error) {
      throw this.problemOf(error);
    }
  }

  /** The client of the provider, whose addresses are discovered at the first use. */
  private async client(): Promise<oidc.Configuration> {
    if (this.config === null) {
      throw new Problem(
        404,
        'identity_provider_absent',
        'no identity provider is configured: sign in with your password',
      );
    }
    const { discovered } = this;
    if (discovered !== null && Date.now() - discovered.at < DISCOVERED_MS) return discovered.client;
    // Concurrent sign-ins share one discovery request, so that they cannot flood a provider that is
    // down.
    this.discovering ??= discover(this.config);
    try {
      const client = await this.discovering;
      this.discovered = { at: Date.now(), client };
      return client;
    } catch (error) {
      this.log(error);
      throw unavailable();
    } finally {
      this.discovering = null;
    }
  }

  private problemOf(error: unknown): Problem {
    if (error instanceof Problem) return error;
    this.log(error);
    if (error instanceof oidc.AuthorizationResponseError) return refusedThere();
    if (error instanceof oidc.ResponseBodyError) {
      return error.status < 500 ? refusedThere() : unavailable();
    }
    // `fetch` throws a TypeError when the connection fails.
    const { code = '' } = error instanceof oidc.ClientError ? error : {};
    const isAbsent = error instanceof TypeError || /TIMEOUT|ABORT|NOT_CONFORM/.test(code);
    return isAbsent ? unavailable() : invalidAnswer();
  }

  /** Logs why a sign-in failed, without the error's cause, which contains tokens. */
  private log(error: unknown): void {
    const { name, message } = error instanceof Error ? error : { name: 'unknown', message: '' };
    const code = error instanceof oidc.ClientError ? error.code : undefined;
    const refusal =
      error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError
        ? error.error
        : undefined;
    this.logger.warn({ name, message, code, refusal }, 'the identity provider failed a sign-in');
  }
}
