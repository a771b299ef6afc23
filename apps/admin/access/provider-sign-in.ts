import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { inTransaction } from '#log';
import { recordAudit } from '#operations';
import { Problem, type SecretBox } from '#platform';
import { SECRET_BOX } from '../admin-config.js';
import { Identities } from './identities.js';
import { type Expected, type Identity, IdentityProvider } from './identity-provider.js';
import { Sessions } from './sessions.js';
import { SignInLimits } from './sign-in-limits.js';

/** A sign-in at the identity provider must be completed within this time. */
export const SIGN_IN_SECONDS = 600;
const PURPOSE = 'identity_provider.sign_in';

interface Begun extends Expected {
  readonly endsAtMs: number;
}

const notBegun = (): Problem =>
  new Problem(
    403,
    'sign_in_not_begun',
    `the sign-in was not begun in this browser within the last ${SIGN_IN_SECONDS / 60} minutes: ` +
      'begin it again',
  );

const REFUSALS = {
  email_not_verified:
    'the identity provider has not verified your email address: have it verified there, or sign ' +
    'in with your password',
  identity_unknown:
    'no user of the console belongs to this account: ask an admin to register your email address',
  identity_expired:
    'your email address was registered more than seven days ago: ask an admin to register it again',
  user_disabled: 'your user is disabled: ask an admin to enable it',
} as const;

type Outcome =
  | { readonly isRefused: false; readonly token: string }
  | {
      readonly isRefused: true;
      readonly why: keyof typeof REFUSALS;
      readonly userId: string | null;
    };

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Signs users in by the identity provider. */
@Injectable()
export class ProviderSignIn {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(SECRET_BOX) private readonly secretBox: SecretBox,
    private readonly provider: IdentityProvider,
    private readonly identities: Identities,
    private readonly sessions: Sessions,
    private readonly limits: SignInLimits,
  ) {}

  /**
   * Returns the address of the identity provider, and the encrypted state of the sign-in, which the
   * browser must send back. Throws like `IdentityProvider.begin`.
   */
  async begin(): Promise<{ readonly url: string; readonly begun: string }> {
    const { url, expected } = await this.provider.begin();
    const begun: Begun = { ...expected, endsAtMs: Date.now() + SIGN_IN_SECONDS * 1_000 };
    return { url, begun: this.secretBox.seal(JSON.stringify(begun), PURPOSE) };
  }

  /**
   * Begins a session for the user to whom the account belongs; returns its token. The user need not
   * change a one-time password, which was not used. Throws `Problem` 403, 429, 503.
   */
  async confirm(
    query: string,
    sealed: string | null,
    from: { readonly address: string; readonly requestId: string },
  ): Promise<string> {
    const { requestId } = from;
    const begun = this.opened(sealed);
    const state = new URLSearchParams(query).get('state');
    if (begun === null || state === null || !isSame(state, begun.state)) throw notBegun();
    await this.limits.countAddress(from.address, requestId);
    const identity = await this.provider.identify(query, begun);
    const outcome = await inTransaction(this.pool, (client) =>
      this.start(client, identity, requestId),
    );
    if (!outcome.isRefused) {
      await this.limits.forgetAddress(from.address);
      return outcome.token;
    }
    const { why, userId } = outcome;
    const subject = userId === null ? null : { type: 'user', id: userId };
    const entry = { action: 'session.sign_in_refused', subject, detail: { why } };
    await recordAudit(this.pool, { actor: 'unknown', requestId }, entry);
    throw new Problem(403, why, REFUSALS[why]);
  }

  private async start(client: PoolClient, identity: Identity, requestId: string): Promise<Outcome> {
    const linked = await this.identities.find(client, identity, requestId);
    if (linked === null) {
      const why = identity.hasUnverifiedEmail ? 'email_not_verified' : 'identity_unknown';
      return { isRefused: true, why, userId: null };
    }
    const { userId, isEnabled, isExpired } = linked;
    if (!isEnabled) return { isRefused: true, why: 'user_disabled', userId };
    if (isExpired) return { isRefused: true, why: 'identity_expired', userId };
    const { gaveSecondFactor } = identity;
    const beginning = { gaveSecondFactor, begunWith: 'identity_provider' } as const;
    const token = await this.sessions.begin(client, userId, beginning);
    await recordAudit(
      client,
      { actor: `user:${userId}`, requestId },
      { action: 'session.signed_in', subject: { type: 'user', id: userId }, detail: beginning },
    );
    return { isRefused: false, token };
  }

  /**
   * The state of the sign-in, from the browser's cookie; null if the cookie was altered, is too old
   * or is missing.
   */
  private opened(sealed: string | null): Begun | null {
    if (sealed === null) return null;
    try {
      const begun = JSON.parse(this.secretBox.open(sealed, PURPOSE)) as Begun;
      return begun.endsAtMs > Date.now() ? begun : null;
    } catch {
      return null;
    }
  }
}
