import { assert } from '#kernel';
import { providerContract } from '#psp/contract';
import { PartialCaptureProvider } from './partial-capture-provider.fixture.js';

/** The fake provider of other specs must pass the contract of every adapter. */
const provider = new PartialCaptureProvider();

providerContract(provider, () =>
  Promise.resolve({
    client: provider.client('stest_contract'),
    stranger: provider.client('stest_stranger'),
    payByCard: async (pageUrl) => provider.pay(pageUrl.split('/').at(-1) ?? ''),
    signMandate: async (pageUrl) => provider.sign(pageUrl.split('/').at(-1) ?? ''),
    loseAnswerOfCreation: async () => provider.failNext('create', 'lost'),
    untilSent: async () => provider.clear('sent'),
    untilPaidOut: async () => assert(false, 'the provider has no payouts'),
    webhooksAbout: () => Promise.reject(new Error('the provider sends no webhooks')),
  }),
);
