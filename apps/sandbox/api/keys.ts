import { createHash, timingSafeEqual } from 'node:crypto';
import { type AccountScope, HOUSE_ACCOUNT } from '../storage/account-scope.js';
import { unauthorized } from './api-error.js';

/** What else cannot be a key is not worth a question to the database. */
const LOOKS_GIVEN = /^(stest|sprod)_[A-Za-z0-9]{32}$/;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The username of Basic credentials; null when there is a password, or none at all. */
export const basicUser = (credentials: string): string | null => {
  const decoded = Buffer.from(credentials, 'base64').toString('utf8');
  const colonAt = decoded.indexOf(':');
  return colonAt === decoded.length - 1 ? decoded.slice(0, colonAt) : null;
};

/** The key that an Authorization header carries: the Basic username, or a Bearer token. */
const keyIn = (header: string): string | null => {
  const [, scheme = '', credentials = ''] = /^([A-Za-z]+) +(\S+) *$/.exec(header) ?? [];
  if (scheme.toLowerCase() === 'bearer') return credentials;
  return scheme.toLowerCase() === 'basic' ? basicUser(credentials) : null;
};

/** The keys issued to merchants; null for a key that no merchant has now. */
export interface GivenKeys {
  scopeOfKey(key: string): Promise<AccountScope | null>;
}

/**
 * Finds the account and the mode of an API key: one of the two keys in the settings, or a key issued
 * to a merchant. Verified headers with a settings key are cached; a merchant's key may be revoked at
 * any moment, so it is read from the database each time.
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

  /** What the key opens; throws `ApiError` 401 when it is none. */
  async scopeOf(header: string | undefined): Promise<AccountScope> {
    if (header === undefined) throw unauthorized();
    const known = this.passed.get(header);
    if (known !== undefined) return known;
    const key = keyIn(header);
    if (key === null) throw unauthorized();
    const hash = digest(key);
    const match = this.keys.find((candidate) => timingSafeEqual(candidate.hash, hash));
    if (match === undefined) return this.givenTo(key);
    // The spellings of two keys are few; a caller cannot grow this without a key.
    if (this.passed.size < 100) this.passed.set(header, match.scope);
    return match.scope;
  }

  private async givenTo(key: string): Promise<AccountScope> {
    const scope = LOOKS_GIVEN.test(key) ? await this.given.scopeOfKey(key) : null;
    if (scope === null) throw unauthorized();
    return scope;
  }
}
