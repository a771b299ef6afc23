import { createCompany, fullCompany } from '../onboarding/testing/company.js';
import { ask } from '../onboarding/testing/partner.js';
import type { Harness } from './harness.js';

/** An onboarded company that accepts payments with its own keys. */
export interface Merchant {
  readonly company: string;
  readonly account: string;
  readonly keys: { readonly test: string; readonly live: string };
}

export const onboardMerchant = async (
  sandbox: Harness,
  details: object = fullCompany(),
): Promise<Merchant> => {
  const { company } = await createCompany(sandbox, details);
  const of = `company=${company.id}`;
  await ask(sandbox, 'PATCH', `/company-status?${of}`, { status: 'available' });
  const keys: Merchant['keys'] = (await ask(sandbox, 'GET', `/company-keys?${of}`)).body;
  return { company: company.id, account: company.accounts[0]?.id ?? '', keys };
};
