import { providerContract } from '#psp/contract';
import { NoneAdapter } from './none-adapter.js';

/**
 * The provider contract checks that each operation is rejected because its capability is missing.
 */
providerContract(new NoneAdapter(), () =>
  Promise.reject(new Error('the provider supports no operation')),
);
