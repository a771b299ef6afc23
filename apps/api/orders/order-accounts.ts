import { Inject, Injectable } from '@nestjs/common';
import type { StepBuilder } from '#log';
import type { Clock } from '#kernel';
import { isRegistered } from '#onboarding';
import { CLOCK, Problem } from '#platform';
import { type AccountMode, ProviderAccounts } from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import { Mandates } from '../mandates/mandates.js';
import { reasonClosed } from '../merchants/open-for-orders.js';
import { type KnownMerchant, Tenancy } from '../shared/tenancy.js';

const UNKNOWN = 'register an account for this merchant first: POST /v1/provider-accounts';

const unknown = (): Problem =>
  new Problem(422, 'merchant_unknown', UNKNOWN, {
    errors: [{ detail: 'has no provider account', pointer: '#/merchantId' }],
  });

const notOpen = ({ status }: KnownMerchant, reason: string): Problem =>
  new Problem(409, 'merchant_not_open', `the merchant takes no orders: ${reason}`, {
    errors: [{ detail: `takes no orders: it is ${status}`, pointer: '#/merchantId' }],
  });

/** In which mode a merchant that is onboarded here is paid. Throws where it takes no orders. */
const modeOf = (merchant: KnownMerchant, mode: AccountMode | undefined): AccountMode => {
  const reason = reasonClosed(merchant);
  if (reason !== null) throw notOpen(merchant, reason);
  const wanted = mode ?? merchant.terms.mode;
  const accounts = isRegistered(merchant) ? merchant.accounts : [];
  if (!accounts.some((one) => one.mode === wanted)) throw unknown();
  return wanted;
};

/** Who is to be paid, and by which mandate where no payer is present. */
interface Payee {
  readonly merchantId: string;
  readonly mode: AccountMode | undefined;
  readonly mandateId?: string;
}

/** Which account pays for an order. */
@Injectable()
export class OrderAccounts {
  constructor(
    private readonly accounts: ProviderAccounts,
    private readonly tenancy: Tenancy,
    private readonly mandates: Mandates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Within the order's own step: whether a merchant that is onboarded here takes orders is compared
   * by its commit, so that no order slips in after a close. Throws `Problem` `merchant_unknown`,
   * `merchant_not_open`, `mandate_unknown`, `CapabilityMissing`, or
   * `Rejection('mode_required' | 'account_disabled')`.
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

  private async mustKnowMandate(
    { platformId }: Caller,
    accountId: string,
    mandateId: string,
  ): Promise<void> {
    if (await this.mandates.isKnown(platformId, accountId, mandateId)) return;
    throw new Problem(422, 'mandate_unknown', 'no payer of this merchant has signed this mandate', {
      errors: [{ detail: 'is not one of this merchant’s', pointer: '#/mandateId' }],
    });
  }

  private async inForce(
    { platformId }: Caller,
    merchantId: string,
    mode: AccountMode | undefined,
  ): Promise<string> {
    const payee = { platformId, merchantId, ...(mode !== undefined && { mode }) };
    const accountId = await this.accounts.forOrder(payee, this.clock.now());
    if (accountId === null) throw unknown();
    return accountId;
  }
}
