import type { Broken, Check } from './check.js';

const booksEqual: Check = {
  invariant: 5,
  name: 'our ledger equals the provider’s books, and each payout line is explained',
  verify: ({ facts: { ledger } }) => {
    if (ledger === null)
      return { isSkipped: true, figure: 'the run did not wait for payouts', broken: [] };
    const { differences, breaks } = ledger;
    const broken = [
      ...differences
        .filter(({ differenceMinor }) => differenceMinor !== 0)
        .map(({ account, currency, oursMinor, theirsMinor }): Broken => ({
          id: `the account ${account} in ${currency}`,
          why: `${oursMinor} in our ledger, ${theirsMinor} in the provider’s books`,
        })),
      ...breaks.map(({ kind, objectId }): Broken => ({
        id: objectId,
        why: `is an open reconciliation break: ${kind}`,
      })),
    ];
    if (differences.length === 0) broken.push({ id: 'the run', why: 'no account was compared' });
    return { figure: `${differences.length} accounts`, broken };
  },
};

export const LEDGER_CHECKS: readonly Check[] = [booksEqual];
