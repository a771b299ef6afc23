import { createHash, timingSafeEqual } from 'node:crypto';
import type { PartnerConfig } from '../../settings/sandbox-config.js';
import { basicUser } from '../keys.js';
import { unauthorizedPartner } from './partner-error.js';

/** The partner whose companies the caller can access, and the mode. */
export interface PartnerScope {
  /** The partner's name, which stays the same when the partner's keys change. */
  readonly partner: string;
  readonly live: boolean;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * The partners' keys: HTTP Basic, the key as the username
 * (docs/provider/onboarding-completion.md#authentication).
 */
export class PartnerKeys {
  private readonly keys: readonly { readonly hash: Buffer; readonly scope: PartnerScope }[];

  constructor(partners: readonly PartnerConfig[]) {
    this.keys = partners.flatMap(({ name, testKey, liveKey }) => [
      { hash: digest(testKey), scope: { partner: name, live: false } },
      { hash: digest(liveKey), scope: { partner: name, live: true } },
    ]);
  }

  /**
   * Returns the partner and mode of the key. Throws `PartnerError` 401 when the header contains no
   * known key.
   */
  scopeOf(header: string | undefined): PartnerScope {
    const [, scheme = '', credentials = ''] = /^([A-Za-z]+) +(\S+) *$/.exec(header ?? '') ?? [];
    const key = scheme.toLowerCase() === 'basic' ? basicUser(credentials) : null;
    if (key === null) throw unauthorizedPartner();
    const hash = digest(key);
    const match = this.keys.find((candidate) => timingSafeEqual(candidate.hash, hash));
    if (match === undefined) throw unauthorizedPartner();
    return match.scope;
  }
}
