import type { Pool } from 'pg';
import { accountAggregate } from '#account';
import { type EventStore, ReservationTaken, untraced } from '#log';
import type { Clock, Instant } from '#kernel';
import { type AssertHeld, firstRow } from '#platform';
import type {
  AccountRegistration,
  KeyProof,
  MadeIntent,
  ProviderAccount,
  ProviderAccounts,
} from '#psp';

/**
 * Reserves a merchant's first account in a mode. The first account is used immediately, any further
 * account only after approval.
 */
const FIRST = 'account.first';

const LATEST_INTENT = `
  SELECT intent_id AS "intentId", payment_id AS reference FROM payment_list
   WHERE account_id = $1 AND intent_id IS NOT NULL
   ORDER BY requested_at DESC, payment_id DESC LIMIT 1`;

/**
 * The actor and the cause of a registration, and the time from which orders may use the account.
 */
export interface RegistrationOrder {
  readonly actor: string;
  readonly causationId: string;
  /** The earliest time from which orders use the account, if it replaces another account. */
  readonly notBefore?: Instant | null;
  readonly callerHolds?: AssertHeld;
}

/**
 * Registers a merchant's account at the provider and records it. The merchant's first account is
 * used immediately. If the merchant already has the account, the new API key replaces its key.
 * Otherwise the account is new, and is used after two people have approved it. May be repeated
 * after any failure.
 */
export class RegisterAccount {
  constructor(
    private readonly pool: Pool,
    private readonly store: EventStore,
    private readonly accounts: ProviderAccounts,
    private readonly clock: Clock,
  ) {}

  /** Throws the same errors as `ProviderAccounts.register`. */
  register(registration: AccountRegistration, order: RegistrationOrder): Promise<ProviderAccount> {
    const { callerHolds } = order;
    return this.accounts.register(registration, {
      ...(callerHolds && { callerHolds }),
      latestIntentOf: (accountId) => this.latestIntentOf(accountId),
      record: (accountId, proof) => this.record(accountId, proof, registration, order),
    });
  }

  private async latestIntentOf(accountId: string): Promise<MadeIntent | null> {
    const made = await firstRow<MadeIntent>(this.pool, LATEST_INTENT, [accountId]);
    return made ?? null;
  }

  private async record(
    accountId: string,
    proof: KeyProof | null,
    registration: AccountRegistration,
    order: RegistrationOrder,
  ): Promise<void> {
    try {
      await this.step(accountId, proof, registration, order);
    } catch (error) {
      // A simultaneous request has registered the merchant's first account, so this account needs
      // approval.
      if (!(error instanceof ReservationTaken) || error.scope !== FIRST) throw error;
      await this.step(accountId, proof, registration, order);
    }
  }

  private async step(
    accountId: string,
    proof: KeyProof | null,
    { platformId, merchantId, mode }: AccountRegistration,
    { actor, causationId, notBefore = null }: RegistrationOrder,
  ): Promise<void> {
    const { store, clock } = this;
    const name = [platformId, merchantId, mode].join('/');
    const holder = (await store.holdersOf(FIRST, [name])).get(name);
    const metadata = untraced(accountId, causationId, actor);
    await store.step(metadata, async (step) => {
      const at = clock.now();
      if (holder === undefined) step.reserve({ scope: FIRST, key: name, holder: accountId });
      await step.execute(accountAggregate, accountId, {
        type: 'RegisterAccount',
        platformId,
        merchantId,
        mode,
        notBefore,
        at,
        isFirst: holder === undefined || holder === accountId,
      });
      if (proof !== null) {
        await step.execute(accountAggregate, accountId, { type: 'RotateKey', ...proof, at });
      }
    });
  }
}
