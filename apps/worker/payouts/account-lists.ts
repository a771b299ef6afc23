import type { Logger } from '#platform';
import type { Reader } from '../reads/background-reads.js';
import { type AccountTask, causeOf, type ListKind, type TaskEnd } from './account-task.js';
import { type AccountList, type ListReadDependencies, readList } from './read-list.js';
import type { AddressedFact, PaymentIngest } from './ingest-payments.js';
import { disputeFacts, PaymentReferences, referenceOf, refundFacts } from './payment-references.js';
import type { PayoutLines } from './payout-lines.js';

export interface AccountListsDependencies extends ListReadDependencies {
  readonly lines: Pick<PayoutLines, 'paymentsOf'>;
  readonly ingest: PaymentIngest;
  readonly logger: Logger;
}

interface ListOfFacts<T> extends Pick<AccountList<T>, 'page'> {
  readonly factsOf: (items: readonly T[]) => Promise<readonly AddressedFact[]>;
}

/**
 * Reads an account's lists, so that a few calls serve all its payments: the payments that were sent
 * at the cut-off, and the refunds and disputes that were not requested through us. Each item is
 * recorded on its payment. Throws `BudgetSpent`, `ClaimLapsed` or a `ProviderError`.
 */
export class AccountLists {
  private readonly references: PaymentReferences;

  constructor(private readonly dependencies: AccountListsDependencies) {
    this.references = new PaymentReferences(dependencies.lines, dependencies.logger);
  }

  read(kind: Exclude<ListKind, 'payouts'>, task: AccountTask, reader: Reader): Promise<TaskEnd> {
    const { references } = this;
    switch (kind) {
      case 'payments':
        return readList(
          this.dependencies,
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
        return readList(
          this.dependencies,
          kind,
          task,
          this.list(task, reader, {
            page: (from) => reader.payouts.listRefunds(from),
            factsOf: (listed) => refundFacts(reader, references, listed),
          }),
        );
      case 'disputes':
        return readList(
          this.dependencies,
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
    { calendar, capabilities }: Reader,
    { page, factsOf }: ListOfFacts<T>,
  ): AccountList<T> {
    const take = async (items: readonly T[]): Promise<void> => {
      const source = { accountId: task.accountId, capabilities };
      await this.dependencies.ingest.ingest(source, await factsOf(items), causeOf(task));
    };
    return { page, take, calendar };
  }
}
