import { assert } from '#kernel';
import { providerContract } from '#psp/contract';
import { PartsProvider } from './parts-provider.fixture.js';

/** What other specs take for a provider passes what every adapter passes. */
const provider = new PartsProvider();

providerContract(provider, () =>
  Promise.resolve({
    client: provider.client('stest_contract'),
    stranger: provider.client('stest_stranger'),
    payByCard: async (pageUrl) => provider.pay(pageUrl.split('/').at(-1) ?? ''),
    signMandate: async () => assert(false, 'it debits no mandate'),
    loseAnswerOfCreation: async () => provider.failNext('create', 'lost'),
    untilSent: async () => provider.clear('sent'),
    untilPaidOut: async () => assert(false, 'it shows no payouts'),
    webhooksAbout: () => Promise.reject(new Error('it sends no webhooks')),
  }),
);
