import { createHash, timingSafeEqual } from 'node:crypto';
import { type AccountScope, HOUSE_ACCOUNT } from '../storage/account-scope.js';
import { unauthorized } from './api-error.js';

/** The format of a key; a text in any other format is rejected without a database query. */
const GIVEN_KEY = /^(stest|sprod)_[A-Za-z0-9]{32}$/;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The username of Basic credentials; null if a password is given or the username is empty. */
export const basicUser = (credentials: string): string | null => {
  const decoded = Buffer.from(credentials, 'base64').toString('utf8');
  const colonAt = decoded.indexOf(':');
  return colonAt === decoded.length - 1 ? decoded.slice(0, colonAt) : null;
};

/** The key in an Authorization header: the Basic username, or a Bearer token. */
const keyIn = (header: string): string | null => {
  const [, scheme = '', credentials = ''] = /^([A-Za-z]+) +(\S+) *$/.exec(header) ?? [];
  if (scheme.toLowerCase() === 'bearer') return credentials;
  return scheme.toLowerCase() === 'basic' ? basicUser(credentials) : null;
};

/**
 * Finds a key among the API keys issued to merchants: returns the key's account and mode; null for
 * an unknown or revoked key.
 */
export interface GivenKeys {
  scopeOfKey(key: string): Promise<AccountScope | null>;
}

/**
 * Finds the account and the mode of an API key: one of the two keys in the settings, or a key
 * issued to a merchant. A header with a key from the settings is cached once verified; a merchant's
 * key is read from the database each time, because it may be revoked at any moment.
 */
export class KeyRing {
  private readonly keys: readonly { readonly hash: Buffer; readonly scope: AccountScope }[];
  private readonly passed = new Map<string, AccountScope>();

  constructor(
    testKey: string,
    liveKey: string,
    private readonly given: GivenKeys,
  ) {
    this.keys = [
      { hash: digest(testKey), scope: { account_id: HOUSE_ACCOUNT, live: false } },
      { hash: digest(liveKey), scope: { account_id: HOUSE_ACCOUNT, live: true } },
    ];
  }

  /** Returns the account and mode of the key; throws `ApiError` 401 for an unknown key. */
  async scopeOf(header: string | undefined): Promise<AccountScope> {
    if (header === undefined) throw unauthorized();
    const known = this.passed.get(header);
    if (known !== undefined) return known;
    const key = keyIn(header);
    if (key === null) throw unauthorized();
    const hash = digest(key);
    const match = this.keys.find((candidate) => timingSafeEqual(candidate.hash, hash));
    if (match === undefined) return this.givenTo(key);
    // The cache stays small: it contains only valid headers, and each key has few valid headers.
    if (this.passed.size < 100) this.passed.set(header, match.scope);
    return match.scope;
  }

  private async givenTo(key: string): Promise<AccountScope> {
    const scope = GIVEN_KEY.test(key) ? await this.given.scopeOfKey(key) : null;
    if (scope === null) throw unauthorized();
    return scope;
  }
}
