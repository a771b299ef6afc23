/**
 * Planted bugs that do harm only in certain simulations: with several provider accounts and
 * currencies, with wrong clocks, with false responses of the provider, or with operators who use
 * only the console.
 * @type {import('./mutant.d.mts').Mutant[]}
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
  {
    name: 'an operator must retry each creation of an intent whose response was lost',
    file: 'apps/worker/payments/create-intent.ts',
    from: "return retryLater(error.message, {\n      type: 'NoteUnknownOutcome',",
    to: "return stuck(error.message, {\n      type: 'NoteUnknownOutcome',",
    nets: { specs: [], simulation: 'an operator had to act on create_intent' },
  },
  {
    name: 'the job of a refund sends whichever refund request of the payment is open',
    file: 'apps/worker/payments/refund.ts',
    from: 'if (wanted === null || wanted.requestId !== refundRequestId) {',
    to: 'if (wanted === null) {',
    // The simulation is not listed, because only one in some 300 seeds detects this bug.
    nets: { specs: ['apps/worker/payments/resolve-result'] },
  },
  {
    name: 'a request is resolved although a worker sends it meanwhile',
    file: 'libs/operations/resolve-result.ts',
    from: 'step.compareStuck({ ...job, key: jobId });',
    to: '',
    nets: { specs: ['apps/worker/payments/resolve-result'] },
  },
  {
    name: 'an intent may belong to two payments',
    file: 'libs/payment/domain/payment-aggregate.ts',
    from: "event.type === 'IntentCreated'\n",
    to: "event.type === 'IntentCreated' && event.intentId === ''\n",
    nets: {
      specs: ['apps/worker/payments/identity'],
      simulation: 'an intent is recorded on two payments',
    },
  },
  {
    name: 'a refund of another payment in the response to a refund is recorded as ours',
    file: 'apps/worker/payments/refund.ts',
    from: 'if (isKnown || isOfAnother(seen, answer) || ',
    to: 'if (isKnown || ',
    nets: {
      specs: ['apps/worker/payments/identity'],
      simulation: 'made before its request is recorded as ours',
    },
  },
  {
    name: 'a payment whose intent the provider has deleted is not reported',
    file: 'apps/worker/payments/payment-poller.ts',
    from: 'if (noIntent) await',
    to: 'if (noIntent && tries < 0) await',
    nets: {
      specs: ['apps/worker/payments/polls'],
      simulation: 'after a false response no operator can see why',
    },
  },
  {
    name: 'a clock that is ahead is taken to be right',
    file: 'libs/platform/clock-check.ts',
    from: 'const isRight = leastMs >= -MAX_OFF_MS && mostMs <= MAX_OFF_MS;',
    to: 'const isRight = leastMs >= -MAX_OFF_MS;',
    nets: {
      specs: ['libs/platform/clock-check'],
      simulation: 'a process with a wrong clock does timed work',
    },
  },
];
