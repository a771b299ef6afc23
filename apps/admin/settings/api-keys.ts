import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { inTransaction } from '#log';
import { type ApiKeyRow, hashSecret, movesMoney, newApiKey } from '#platform';
import { insertKey, revokeKey, type WantedApiKey } from '../access/key-changes.js';
import type { SignedIn } from '../access/sessions.js';
import { lockActing } from '../access/still-acting.js';
import type { ActionAnswer } from '../actions/action-answers.js';
import { Actions } from '../actions/actions.js';
import type { AuditOrigin } from '../shared/audit.js';

/** The key in full, never to be seen again. */
export interface MadeApiKey {
  /** Null where it waits for a second person: it does not work before. */
  readonly row: ApiKeyRow | null;
  readonly action: ActionAnswer | null;
  readonly key: string;
}

/** What admins do to the keys of platforms; audited in the same transaction. */
@Injectable()
export class ApiKeys {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly actions: Actions,
  ) {}

  /**
   * A key that can move money waits for a second person.
   * Throws `Rejection('invalid_platform' | 'invalid_expiry' | 'too_many_keys')`.
   */
  async create(
    wanted: WantedApiKey,
    by: SignedIn,
    origin: AuditOrigin,
    reason: string,
  ): Promise<MadeApiKey> {
    const { text, prefix, secret } = newApiKey();
    const secretHash = hashSecret(secret);
    if (wanted.scopes.some(movesMoney)) {
      const { platformId, scopes, expiresAt } = wanted;
      const action = await this.actions.requestSetting(
        {
          kind: 'create_api_key',
          reason,
          private: { secretHash: secretHash.toString('hex') },
          target: {
            subjectId: prefix,
            platformId,
            scopes,
            ...(expiresAt !== null && { expiresAt: expiresAt.toISOString() }),
          },
        },
        by,
        origin,
      );
      return { row: null, action, key: text };
    }
    const row = await inTransaction(this.pool, async (client) => {
      await lockActing(client, by, 'admin');
      return insertKey(client, { ...wanted, prefix, secretHash }, { origin, reason });
    });
    return { row, action: null, key: text };
  }

  /** Ends a key everywhere within seconds. Throws `Rejection('key_not_found')`. */
  revoke(prefix: string, by: SignedIn, origin: AuditOrigin, reason: string): Promise<void> {
    return inTransaction(this.pool, async (client) => {
      await lockActing(client, by, 'admin');
      await revokeKey(client, prefix, origin, reason);
    });
  }
}
