/**
 * Planted bugs that do harm only in a world with several provider accounts and currencies, wrong
 * clocks, or false responses of the provider. @type {import('./mutant.d.mts').Mutant[]}
 */
export const WORLD_MUTANTS = [
  {
    name: 'an intent is created in euros, whatever the currency of the order',
    file: 'apps/worker/payments/create-intent.ts',
    from: 'return { reference, amountMinor, currency, methods, description, returnUrl };',
    to: "return { reference, amountMinor, currency: 'eur', methods, description, returnUrl };",
    nets: {
      specs: [],
      simulation: 'an intent was created with another amount or currency than its order',
    },
  },
  {
    name: 'the currency of an intent is read as the default currency',
    file: 'libs/psp-hosted/payment-facts.ts',
    from: 'currency: wire.currency ?? DEFAULT_CURRENCY,',
    to: 'currency: DEFAULT_CURRENCY,',
    nets: { specs: [], simulation: 'a mismatch was recorded: currency:usd:eur' },
  },
  {
    name: 'a process sends all requests with the API key of its first request',
    file: 'apps/worker/payments/payment-effects.ts',
    from: 'const client = await clientOf(accountId);',
    to: 'const client = await ((store as { own?: Promise<Payments | null> }).own ??= clientOf(accountId));',
    nets: { specs: [], simulation: 'was created in the account' },
  },
];
