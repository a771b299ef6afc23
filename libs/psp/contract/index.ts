export type { Arranged } from './arranged.js';
export { providerContract } from './provider-contract.js';
