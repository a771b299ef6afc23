import { createHash, timingSafeEqual } from 'node:crypto';
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

/** Knows the keys that merchants were given: null for a key that none of them has now. */
export interface GivenKeys {
  isLive(key: string): Promise<boolean | null>;
}

/**
 * Tells live from test mode by the key: one of the two that the settings name, or one that a
 * merchant was given. Headers that carried one of the two are known again; a merchant's key may end
 * at any moment, so it is looked up each time.
 */
export class KeyRing {
  private readonly keys: readonly { readonly hash: Buffer; readonly live: boolean }[];
  private readonly passed = new Map<string, boolean>();

  constructor(
    testKey: string,
    liveKey: string,
    private readonly given: GivenKeys,
  ) {
    this.keys = [
      { hash: digest(testKey), live: false },
      { hash: digest(liveKey), live: true },
    ];
  }

  /** Whether the key is a live one; throws `ApiError` 401 when it is none. */
  async isLive(header: string | undefined): Promise<boolean> {
    if (header === undefined) throw unauthorized();
    const known = this.passed.get(header);
    if (known !== undefined) return known;
    const key = keyIn(header);
    if (key === null) throw unauthorized();
    const hash = digest(key);
    const match = this.keys.find((candidate) => timingSafeEqual(candidate.hash, hash));
    if (match === undefined) return this.givenLive(key);
    // The spellings of two keys are few; a caller cannot grow this without a key.
    if (this.passed.size < 100) this.passed.set(header, match.live);
    return match.live;
  }

  private async givenLive(key: string): Promise<boolean> {
    const live = LOOKS_GIVEN.test(key) ? await this.given.isLive(key) : null;
    if (live === null) throw unauthorized();
    return live;
  }
}
