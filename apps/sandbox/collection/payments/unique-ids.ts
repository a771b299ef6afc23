import { conflict } from '../../api/api-error.js';
import { type AccountScope, scopeValues } from '../../storage/account-scope.js';
import { type Database, violatedConstraint } from '../../storage/database.js';

const BY_UNIQUE_ID = {
  name: 'intent:by-unique-id',
  text: `SELECT id, single_call, payment_id FROM payment_intents
         WHERE account_id = $1 AND live = $2 AND unique_id = $3`,
};

interface Used {
  readonly id: string;
  readonly single_call: boolean;
  readonly payment_id: string | null;
}

/**
 * Runs a write of an intent, also of the hidden intent of a payment created in one call. Throws
 * `ApiError` 409 with the conflicting object when its `unique_id` is already used in this account
 * and mode.
 */
export const withUniqueId = async <T>(
  database: Database,
  scope: AccountScope,
  uniqueId: string | null,
  write: () => Promise<T>,
): Promise<T> => {
  try {
    return await write();
  } catch (error) {
    if (violatedConstraint(error) !== 'payment_intents_unique_id') throw error;
    const [used] = await database.query<Used>(BY_UNIQUE_ID, [...scopeValues(scope), uniqueId]);
    const by =
      used?.single_call === true
        ? `payment \`${used.payment_id}\``
        : `payment intent \`${used?.id}\``;
    throw conflict(`unique_id \`${uniqueId}\` is used by ${by}`);
  }
};
