import type { Logger } from '#platform';
import type { Reader } from '../reads/background-reads.js';
import { type AccountTask, causeOf, type ListKind, type TaskEnd } from './account-task.js';
import { type AccountList, type ListLookParts, lookThrough } from './list-look.js';
import type { AddressedFact, PaymentDoor } from './payment-door.js';
import { disputeFacts, PaymentReferences, referenceOf, refundFacts } from './payment-references.js';
import type { PayoutLines } from './payout-lines.js';

export interface AccountListsParts extends ListLookParts {
  readonly lines: Pick<PayoutLines, 'paymentsOf'>;
  readonly door: PaymentDoor;
  readonly logger: Logger;
}

interface ListOfFacts<T> extends Pick<AccountList<T>, 'page'> {
  readonly factsOf: (items: readonly T[]) => Promise<readonly AddressedFact[]>;
}

/**
 * What an account's lists tell of its payments, for a whole account in a few calls: which were sent
 * at the cut-off, and the refunds and disputes that nobody asked us for. Each passes its payment's
 * one door. Throws `BudgetSpent`, `ClaimLapsed` or a `ProviderError`.
 */
export class AccountLists {
  private readonly references: PaymentReferences;

  constructor(private readonly parts: AccountListsParts) {
    this.references = new PaymentReferences(parts.lines, parts.logger);
  }

  look(kind: Exclude<ListKind, 'payouts'>, task: AccountTask, reader: Reader): Promise<TaskEnd> {
    const { references } = this;
    switch (kind) {
      case 'payments':
        return lookThrough(
          this.parts,
          kind,
          task,
          this.list(task, reader, {
            page: (from) => reader.payouts.listPayments(from),
            factsOf: (listed) =>
              Promise.resolve(
                listed.flatMap((shown) => {
                  const reference = referenceOf(shown);
                  return reference === null ? [] : [{ reference, fact: { of: 'payment', shown } }];
                }),
              ),
          }),
        );
      case 'refunds':
        return lookThrough(
          this.parts,
          kind,
          task,
          this.list(task, reader, {
            page: (from) => reader.payouts.listRefunds(from),
            factsOf: (listed) => refundFacts(reader, references, listed),
          }),
        );
      case 'disputes':
        return lookThrough(
          this.parts,
          kind,
          task,
          this.list(task, reader, {
            page: (from) => reader.payouts.listDisputes(from),
            factsOf: (listed) => disputeFacts(reader, references, listed),
          }),
        );
    }
  }

  private list<T>(
    task: AccountTask,
    { calendar }: Reader,
    { page, factsOf }: ListOfFacts<T>,
  ): AccountList<T> {
    const take = async (items: readonly T[]): Promise<void> => {
      await this.parts.door.pass(task.accountId, await factsOf(items), causeOf(task));
    };
    return { page, take, calendar };
  }
}
