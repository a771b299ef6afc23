import { providerContract } from '#psp/contract';
import { NoneAdapter } from './none-adapter.js';

/** The contract finds every missing capability refused, and makes no other call. */
providerContract(new NoneAdapter(), () =>
  Promise.reject(new Error('the provider supports no operation')),
);
