import { assert, newId } from '#kernel';
import type { Capability } from '../capabilities.js';
import type { ShownIntent } from '../facts.js';
import type { Onboarding } from '../onboarding.js';
import { type ProviderAdapter, type ProviderClient, readPayment, wholeCapture } from '../port.js';
import { afterPaymentContract } from './after-payment-contract.js';
import { type Arranged, intentOf } from './arranged.js';
import { captureContract } from './capture-contract.js';
import { onboardingContract } from './onboarding-contract.js';
import { paymentContract } from './payment-contract.js';
import { payoutContract } from './payout-contract.js';
import { webhookContract } from './webhook-contract.js';

const ANY = 'any1';

const anIntent: ShownIntent = {
  intentId: ANY,
  reference: null,
  pageUrl: '',
  status: 'open',
  amountMinor: 1,
  currency: 'eur',
  hasAttempt: false,
};

const page = { createdSince: 0, start: 0 };

const day = '2026-03-02';

type Calls = readonly ((client: ProviderClient, onboarding: Onboarding) => Promise<unknown>)[];

/** For each capability: the operations that an adapter without it must reject. */
const REFUSED: Readonly<Record<Capability, Calls>> = {
  payments: [
    ({ payments }) => payments.createIntent(intentOf(newId('pay'))),
    ({ payments }) => payments.getIntent(ANY),
    ({ payments }) => payments.findIntents(ANY),
    ({ payments }) => payments.details(anIntent),
    ({ payments }) => payments.captureIntent(ANY, wholeCapture(ANY)),
    ({ payments }) => readPayment(payments, ANY),
  ],
  cancelableUntil: [({ payments }) => payments.cancelIntent(ANY)],
  partialCapture: [
    ({ payments }) =>
      payments.captureIntent(ANY, { reference: ANY, amountMinor: 1, isFinal: true }),
  ],
  // A second capture needs a first one, so it is not requested from an adapter without captures.
  multipleCapture: [],
  refunds: [({ payments }) => payments.refundIntent(ANY, 1)],
  debits: [({ payments }) => payments.debitMandate(ANY, ANY)],
  payouts: [
    ({ payouts }) => payouts.listPayouts(page),
    ({ payouts }) => payouts.getPayout(ANY),
    ({ payouts }) => payouts.payoutPayments(ANY, 0),
    ({ payouts }) => payouts.payoutRefunds(ANY, 0),
    ({ payouts }) => payouts.payoutDisputes(ANY, 0),
    ({ payouts }) => payouts.listPayments(page),
    ({ payouts }) => payouts.listRefunds(page),
    ({ payouts }) => payouts.listDisputes(page),
    ({ payouts }) => payouts.getPayment(ANY),
  ],
  onboarding: [
    (_client, { createCompany }) => createCompany(undefined as never, ANY),
    (_client, { getCompany }) => getCompany(ANY),
    (_client, { changeCompany }) => changeCompany(ANY, {}),
    (_client, { createdCompanies }) => createdCompanies(day, day),
    (_client, { statusHistory }) => statusHistory(day, day),
    (_client, { progress }) => progress(ANY),
    (_client, { signatureLink }) => signatureLink(ANY),
    (_client, { companyKeys }) => companyKeys(ANY),
    (_client, { putPerson }) => putPerson(ANY, 'owner', {}),
    (_client, { removePerson }) => removePerson(ANY, ANY, 'owner'),
    (_client, { sendDocuments }) => sendDocuments(ANY, ANY, { files: [] }),
    (_client, { sendDocuments }) => sendDocuments(ANY, ANY, { files: [], replaces: true }),
    (_client, { readDocument }) => readDocument(ANY, ANY),
    (_client, { removeDocument }) => removeDocument(ANY, ANY),
    (_client, { orderTerminal }) => orderTerminal(ANY, ANY, ANY),
    (_client, { listTerminals }) => listTerminals(ANY, ANY),
    (_client, { cancelTerminal }) => cancelTerminal(ANY, ANY, ANY),
    (_client, { codes }) => codes({ list: 'activities' }),
  ],
  sends: [
    ({ endpoints }) => endpoints.listWebhookEndpoints(),
    ({ endpoints }) => endpoints.createWebhookEndpoint('https://api.test/'),
  ],
};

const CAPABILITIES = Object.keys(REFUSED) as readonly Capability[];

/**
 * Defines the tests that every adapter must pass: with a capability the adapter does what the port
 * specifies, and without it the adapter rejects the operation. `arrange` is called once, before the
 * first test, and only for an adapter that has a capability to test.
 */
export const providerContract = (
  adapter: ProviderAdapter,
  arrange: () => Promise<Arranged>,
): void => {
  const { capabilities } = adapter;
  const has = (capability: Capability): boolean => {
    const value = capabilities[capability];
    return Array.isArray(value) ? value.length > 0 : value !== null && value !== false;
  };

  describe(`the provider ${adapter.name}`, () => {
    const missing = CAPABILITIES.filter((one) => !has(one) && REFUSED[one].length > 0);
    if (missing.length > 0) {
      test.each(missing)('rejects operations that need the capability %s', async (capability) => {
        for (const call of REFUSED[capability]) {
          const refused = call(adapter.client('any key'), adapter.onboarding('any key'));
          await expect(refused).rejects.toMatchObject({ kind: 'capability_missing', capability });
        }
      });
    }
    if (!has('payments') && !has('onboarding')) return;

    let arranged: Arranged;
    beforeAll(async () => void (arranged = await arrange()), 120_000);
    if (has('payments')) {
      paymentContract(() => arranged);
      afterPaymentContract(capabilities, () => arranged);
      if (has('partialCapture')) captureContract(capabilities, () => arranged);
    }
    if (has('onboarding')) {
      onboardingContract(() => {
        assert(arranged.onboarding, 'the test set-up of a provider with onboarding contains it');
        return arranged.onboarding;
      });
    }
    if (has('payouts')) payoutContract(() => arranged);
    if (has('sends')) webhookContract(adapter, () => arranged);
  });
};
