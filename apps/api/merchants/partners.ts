import { Injectable } from '@nestjs/common';
import { Rejection } from '#kernel';
import { isRegistered, type RegisteredMerchant } from '#onboarding';
import { type AccountMode, OnboardingClients } from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import { problem } from '../shared/error-codes.js';
import { type KnownMerchant, Tenancy } from '../shared/tenancy.js';
import type { Partner } from './details/check-details.js';
import { type Asked, asOurs } from './provider-refusals.js';

/** A registered merchant's company, with the provider client of the merchant's mode. */
export interface CompanyAtProvider extends Partner {
  readonly merchant: RegisteredMerchant;
  readonly companyId: string;
}

export const notRegistered = ({ status }: KnownMerchant): Rejection =>
  new Rejection(
    'merchant_not_registered',
    `the company is not registered at the provider yet: the status of the merchant is ${status}`,
  );

/** The onboarding API of the mode in which a merchant is registered. */
@Injectable()
export class Partners {
  constructor(
    private readonly clients: OnboardingClients,
    private readonly tenancy: Tenancy,
  ) {}

  /**
   * Returns the onboarding client of a mode. Throws `Problem` 422 `mode_not_offered` when no
   * partner key (the provider's key for onboarding) is configured for the mode.
   */
  of(mode: AccountMode): Partner {
    const client = this.clients.of(mode);
    if (client !== null) return { mode, client };
    const detail = `merchants cannot be onboarded in the mode ${mode}, because no partner key is configured for it`;
    throw problem('mode_not_offered', { detail });
  }

  /**
   * Returns the registered company. Throws `Rejection` `merchant_not_found`, or
   * `merchant_not_registered`.
   */
  async company(caller: Caller, merchantId: string): Promise<CompanyAtProvider> {
    const merchant = await this.tenancy.merchant(caller, merchantId);
    if (!isRegistered(merchant)) throw notRegistered(merchant);
    return { ...this.of(merchant.terms.mode), merchant, companyId: merchant.companyId };
  }
}

/** Calls the provider, and maps its refusal to the request's fields below `root`. */
export const asking = async <T>(
  asked: Asked,
  call: Promise<T>,
  root: readonly string[] = ['details'],
): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    throw asOurs(error, asked, root);
  }
};
