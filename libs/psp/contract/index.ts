export type { Arranged, ArrangedOnboarding } from './arranged.js';
export { providerContract } from './provider-contract.js';
