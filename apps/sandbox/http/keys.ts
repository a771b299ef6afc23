import { createHash, timingSafeEqual } from 'node:crypto';
import { unauthorized } from './api-error.js';

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

/** Tells live from test mode by the key. Built once: headers that passed are known again. */
export class KeyRing {
  private readonly keys: readonly { readonly hash: Buffer; readonly live: boolean }[];
  private readonly passed = new Map<string, boolean>();

  constructor(testKey: string, liveKey: string) {
    this.keys = [
      { hash: digest(testKey), live: false },
      { hash: digest(liveKey), live: true },
    ];
  }

  /** Whether the key is a live one; throws `ApiError` 401 when it is none. */
  isLive(header: string | undefined): boolean {
    if (header === undefined) throw unauthorized();
    const known = this.passed.get(header);
    if (known !== undefined) return known;
    const key = keyIn(header);
    if (key === null) throw unauthorized();
    const hash = digest(key);
    const match = this.keys.find((candidate) => timingSafeEqual(candidate.hash, hash));
    if (match === undefined) throw unauthorized();
    // The spellings of two keys are few; a caller cannot grow this without a key.
    if (this.passed.size < 100) this.passed.set(header, match.live);
    return match.live;
  }
}
