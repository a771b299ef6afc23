import type { JobEnd, JobTable } from '#jobs';
import type { Clock } from '#kernel';
import type { Reader } from '../reads/background-reads.js';
import { type AccountJob, causeOf, type ListKind } from './account-job.js';
import type { PaymentIngest } from './ingest-payments.js';
import { addressed, linesFrom, type ListedLine } from './listed-lines.js';
import type { PaymentReferences } from './payment-references.js';
import { type AccountList, readList } from './read-list.js';

/**
 * Reads the provider's lists for an account, because a few calls then update all its payments. The
 * list of payments is read after the cut-off; the lists of refunds and disputes also show those
 * that we did not request. Each item is recorded on its payment. Throws `BudgetSpent`,
 * `ClaimLapsed` or a `ProviderError`.
 */
export class AccountLists {
  constructor(
    private readonly table: Pick<JobTable, 'save'>,
    private readonly references: PaymentReferences,
    private readonly ingest: PaymentIngest,
    private readonly clock: Clock,
  ) {}

  read(
    kind: Exclude<ListKind, 'account.payouts'>,
    job: AccountJob,
    reader: Reader,
  ): Promise<JobEnd> {
    const { payouts, calendar, capabilities } = reader;
    const lines = linesFrom(reader, this.references);
    const source = { accountId: job.accountId, capabilities };
    const read = <T>(
      page: AccountList<T>['page'],
      linesOf: (items: readonly T[]) => Promise<readonly ListedLine[]>,
    ): Promise<JobEnd> =>
      readList(this.table, this.clock, kind, job, {
        page,
        calendar,
        take: async (items) => {
          await this.ingest.ingest(source, addressed(await linesOf(items)), causeOf(job));
        },
      });
    switch (kind) {
      case 'account.payments':
        return read((from) => payouts.listPayments(from), lines.payments);
      case 'account.refunds':
        return read((from) => payouts.listRefunds(from), lines.refunds);
      case 'account.disputes':
        return read((from) => payouts.listDisputes(from), lines.disputes);
    }
  }
}
