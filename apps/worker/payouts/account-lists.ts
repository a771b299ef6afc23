import type { Logger } from '#platform';
import type { ListedPayment } from '#psp';
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

const paymentFacts = (listed: readonly ListedPayment[]): readonly AddressedFact[] =>
  listed.flatMap((shown) => {
    const reference = referenceOf(shown);
    return reference === null ? [] : [{ reference, fact: { of: 'payment', shown } }];
  });

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
    const { references, dependencies } = this;
    const { payouts, calendar, capabilities } = reader;
    const source = { accountId: task.accountId, capabilities };
    const read = <T>(
      page: AccountList<T>['page'],
      factsOf: (items: readonly T[]) => Promise<readonly AddressedFact[]>,
    ): Promise<TaskEnd> =>
      readList(dependencies, kind, task, {
        page,
        calendar,
        take: async (items) => {
          await dependencies.ingest.ingest(source, await factsOf(items), causeOf(task));
        },
      });
    switch (kind) {
      case 'payments':
        return read(
          (from) => payouts.listPayments(from),
          (listed) => Promise.resolve(paymentFacts(listed)),
        );
      case 'refunds':
        return read(
          (from) => payouts.listRefunds(from),
          (listed) => refundFacts(reader, references, listed),
        );
      case 'disputes':
        return read(
          (from) => payouts.listDisputes(from),
          (listed) => disputeFacts(reader, references, listed),
        );
    }
  }
}
