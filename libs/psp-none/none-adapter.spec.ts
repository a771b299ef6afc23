import { providerContract } from '#psp/contract';
import { NoneAdapter } from './none-adapter.js';

/** What an adapter lacks is what the contract finds to be refused, and nothing else is asked of it. */
providerContract(new NoneAdapter(), () => Promise.reject(new Error('it has nothing to show')));
