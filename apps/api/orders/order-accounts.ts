import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { StepBuilder } from '#log';
import type { Clock } from '#kernel';
import { isRegistered } from '#onboarding';
import { CLOCK } from '#platform';
import { type AccountMode, ProviderAccounts } from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import { reasonClosed } from '../merchants/open-for-orders.js';
import { problem } from '../shared/error-codes.js';
import { type KnownMerchant, Tenancy } from '../shared/tenancy.js';

/** Reads mandates, which are projected from the debits with a short delay. */
const MANDATE = `
  SELECT FROM mandate_use WHERE platform_id = $1 AND account_id = $2 AND mandate_id = $3 LIMIT 1`;

/**
 * Returns the mode of a merchant that was onboarded through this API. Throws when the merchant
 * accepts no orders.
 */
const modeOf = (merchant: KnownMerchant, mode: AccountMode | undefined): AccountMode => {
  const reason = reasonClosed(merchant);
  if (reason !== null) {
    throw problem('merchant_not_enabled', {
      detail: `the merchant does not accept orders yet: ${reason}`,
      errors: [
        {
          detail: `does not accept orders: its status is ${merchant.status}`,
          pointer: '#/merchantId',
        },
      ],
    });
  }
  const wanted = mode ?? merchant.terms.mode;
  const accounts = isRegistered(merchant) ? merchant.accounts : [];
  if (!accounts.some((one) => one.mode === wanted)) throw problem('merchant_unknown');
  return wanted;
};

/** The merchant to be paid, and the mandate if the order is paid by a debit of a mandate. */
interface Payee {
  readonly merchantId: string;
  readonly mode?: AccountMode;
  readonly mandateId?: string;
}

/** Selects the account that an order is paid into. */
@Injectable()
export class OrderAccounts {
  constructor(
    private readonly accounts: ProviderAccounts,
    private readonly tenancy: Tenancy,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Selects the account in the same commit that places the order. The commit fails if a merchant
   * that was onboarded through this API no longer accepts orders, so that no order is placed after
   * the merchant was disabled. Throws `Problem` `merchant_unknown`, `merchant_not_enabled`,
   * `mandate_unknown`, `CapabilityMissing`, or `Rejection('mode_required' | 'account_disabled')`.
   */
  async of(
    step: StepBuilder,
    caller: Caller,
    { merchantId, mode, mandateId }: Payee,
  ): Promise<string> {
    const accountId = await this.accountOf(step, caller, merchantId, mode);
    await this.accounts.mustHave(accountId, 'payments');
    if (mandateId === undefined) return accountId;
    await this.accounts.mustHave(accountId, 'debits');
    await this.mustKnowMandate(caller, accountId, mandateId);
    return accountId;
  }

  private async accountOf(
    step: StepBuilder,
    caller: Caller,
    merchantId: string,
    mode: AccountMode | undefined,
  ): Promise<string> {
    const merchant = merchantId.startsWith('mer_')
      ? await this.tenancy.ownMerchant(caller, merchantId, {
          load: (aggregate, id) => step.loadCompared(aggregate, id),
        })
      : null;
    const own = merchant === null ? mode : modeOf(merchant, mode);
    return this.inForce(caller, merchantId, own);
  }

  /**
   * The payer has signed the mandate for this provider account: no other account may debit the
   * mandate.
   */
  private async mustKnowMandate(
    { platformId }: Caller,
    accountId: string,
    mandateId: string,
  ): Promise<void> {
    const { rowCount } = await this.pool.query({
      name: 'mandate-known',
      text: MANDATE,
      values: [platformId, accountId, mandateId],
    });
    if (rowCount === 0) throw problem('mandate_unknown');
  }

  private async inForce(
    { platformId }: Caller,
    merchantId: string,
    mode: AccountMode | undefined,
  ): Promise<string> {
    const payee = { platformId, merchantId, ...(mode !== undefined && { mode }) };
    const accountId = await this.accounts.forOrder(payee, this.clock.now());
    if (accountId === null) throw problem('merchant_unknown');
    return accountId;
  }
}
