import type { CodeAndName } from './code-and-name.js';

/** The services that a company may use once it is available. */
export const SERVICES: readonly CodeAndName[] = [
  { code: 'online-payment', name: 'Card payments on the hosted page' },
  { code: 'api-payment', name: 'Payments through the API' },
  { code: 'payment-link', name: 'Payment links by email and text message' },
  { code: 'mail-order', name: 'Card payments by mail and telephone' },
  { code: 'direct-debit', name: 'SEPA direct debit' },
  { code: 'payment-terminal', name: 'Payment terminals in the shop' },
];
