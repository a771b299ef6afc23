import { type Broken, type Check, isLongChaos } from './check.js';

/** The kinds of payout lines that every long chaos run contains. */
const LINE_KINDS = ['payment', 'refund', 'dispute'];

const booksEqual: Check = {
  invariant: 5,
  name: 'our ledger equals the provider’s books, and each payout line is explained',
  verify: ({ facts }) => {
    const { ledger } = facts;
    if (ledger === null)
      return { isSkipped: true, figure: 'the run did not wait for payouts', broken: [] };
    const { differences, breaks, lines } = ledger;
    const broken = [
      ...differences
        .filter(({ differenceMinor }) => differenceMinor !== 0)
        .map(({ providerAccount, account, currency, oursMinor, theirsMinor }): Broken => ({
          id: `the account ${account} in ${currency} of ${providerAccount}`,
          why: `${oursMinor} in our ledger, ${theirsMinor} in the provider’s books`,
        })),
      ...breaks.map(({ kind, objectId }): Broken => ({
        id: objectId,
        why: `is an open reconciliation break: ${kind}`,
      })),
    ];
    if (differences.length === 0) broken.push({ id: 'the run', why: 'no account was compared' });
    // A run without refunds or disputes has at least the lines of its payments.
    for (const kind of isLongChaos(facts) ? LINE_KINDS : ['payment']) {
      if ((lines[kind] ?? 0) > 0) continue;
      broken.push({ id: 'the run', why: `no payout line of the kind ${kind} was compared` });
    }
    const counts = Object.entries(lines).map(([kind, count]) => `${count} of the kind ${kind}`);
    return {
      figure: `${differences.length} accounts; payout lines: ${counts.join(', ')}`,
      broken,
    };
  },
};

export const LEDGER_CHECKS: readonly Check[] = [booksEqual];
