import { newId, randomText } from '#kernel';
import type { CompanyDetails } from '#psp';
import { HostedAdapter, onboardingTransports } from '#psp-hosted';
import type { Stack } from './stack.js';

/** The details of a new company; each call uses a different email address. */
export const companyBody = (): CompanyDetails => ({
  company: {
    country: 'FR',
    legalForm: 'fr_sas',
    registrationNumber: '732829320',
    legalName: 'Atelier',
  },
  contact: {
    firstName: 'Camille',
    lastName: 'Martin',
    email: `user-${randomText(12).toLowerCase()}@example.test`,
  },
});

/** Creates a merchant's account at the sandbox; returns the account's API key. */
export const newProviderKey = async ({ env }: Stack): Promise<string> => {
  const { PROVIDER_URL: url = '', PARTNER_TEST_KEY: partnerKey = '' } = env;
  const partners = `${url}/api/partners`;
  const payments = {
    send: () =>
      Promise.reject(
        new Error('this client creates companies only, and sends no payment requests'),
      ),
  };
  const adapter = new HostedAdapter(payments, onboardingTransports(partners, url));
  const client = adapter.onboarding(partnerKey);
  const { companyId } = await client.createCompany(companyBody(), newId('mer'));
  const answer = await fetch(`${partners}/company-status?company=${companyId}`, {
    method: 'PATCH',
    headers: {
      authorization: `Basic ${Buffer.from(`${partnerKey}:`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ status: 'available' }),
  });
  if (!answer.ok) throw new Error(`the company is not available: ${await answer.text()}`);
  return (await client.companyKeys(companyId)).test;
};
