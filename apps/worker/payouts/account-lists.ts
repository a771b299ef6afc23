import type { JobEnd } from '#jobs';
import type { Clock } from '#kernel';
import type { Reader } from '../reads/background-reads.js';
import { type AccountTask, causeOf, type ListKind } from './account-task.js';
import type { PaymentIngest } from './ingest-payments.js';
import { addressed, linesFrom, type ListedLine } from './listed-lines.js';
import type { PaymentReferences } from './payment-references.js';
import { type AccountList, readList } from './read-list.js';
import type { TaskQueue } from './task-queue.js';

/**
 * Reads an account's lists, so that a few calls serve all its payments: the payments that were sent
 * at the cut-off, and the refunds and disputes that were not requested through us. Each item is
 * recorded on its payment. Throws `BudgetSpent`, `ClaimLapsed` or a `ProviderError`.
 */
export class AccountLists {
  constructor(
    private readonly queue: Pick<TaskQueue, 'save'>,
    private readonly references: PaymentReferences,
    private readonly ingest: PaymentIngest,
    private readonly clock: Clock,
  ) {}

  read(kind: Exclude<ListKind, 'payouts'>, task: AccountTask, reader: Reader): Promise<JobEnd> {
    const { payouts, calendar, capabilities } = reader;
    const lines = linesFrom(reader, this.references);
    const source = { accountId: task.accountId, capabilities };
    const read = <T>(
      page: AccountList<T>['page'],
      linesOf: (items: readonly T[]) => Promise<readonly ListedLine[]>,
    ): Promise<JobEnd> =>
      readList(this.queue, this.clock, kind, task, {
        page,
        calendar,
        take: async (items) => {
          await this.ingest.ingest(source, addressed(await linesOf(items)), causeOf(task));
        },
      });
    switch (kind) {
      case 'payments':
        return read((from) => payouts.listPayments(from), lines.payments);
      case 'refunds':
        return read((from) => payouts.listRefunds(from), lines.refunds);
      case 'disputes':
        return read((from) => payouts.listDisputes(from), lines.disputes);
    }
  }
}
