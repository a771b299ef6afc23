import type { LedgerEntryKind } from '#payout';
import type { StatementAnswer } from './statement-answer.js';

/** The sums of the lines of a statement, in minor units; a decrease of the balance is negative. */
interface Sums {
  readonly amountMinor: number;
  readonly feesMinor: number;
  readonly vatMinor: number;
  readonly netMinor: number;
}

/** A line of a statement; only the fields that are summed up. */
export interface StatementLineRow extends Sums {
  readonly kind: LedgerEntryKind;
  readonly currency: string;
}

export type Pages<Row> = AsyncIterable<readonly Row[]>;

const NOTHING: Sums = { amountMinor: 0, feesMinor: 0, vatMinor: 0, netMinor: 0 };

const plus = (sums: Sums, line: Sums): Sums => ({
  amountMinor: sums.amountMinor + line.amountMinor,
  feesMinor: sums.feesMinor + line.feesMinor,
  vatMinor: sums.vatMinor + line.vatMinor,
  netMinor: sums.netMinor + line.netMinor,
});

/** The sums of one currency. */
class Total {
  readonly ofKinds = new Map<LedgerEntryKind, Sums>();
  all = NOTHING;

  constructor(readonly openingMinor: number) {}

  add(line: StatementLineRow): void {
    this.ofKinds.set(line.kind, plus(this.ofKinds.get(line.kind) ?? NOTHING, line));
    this.all = plus(this.all, line);
  }

  rows(): readonly object[] {
    const ofKinds = [...this.ofKinds].map(([kind, sums]) => ({ kind: `total_${kind}`, ...sums }));
    const netMinor = this.openingMinor + this.all.netMinor;
    return [...ofKinds, { kind: 'total', ...this.all }, { kind: 'closing', netMinor }];
  }
}

/**
 * The rows of a statement for a spreadsheet. In each currency the opening balance comes before the
 * lines, and the totals and the closing balance after them. Totals and closing balance are computed
 * from the lines in the file, so that they match these lines even if an entry is booked while the
 * file is written.
 */
export async function* withBalances(
  { from, to, balances }: StatementAnswer,
  pages: Pages<StatementLineRow>,
): AsyncGenerator<readonly object[]> {
  const totals = new Map(
    balances.map(({ currency, openingMinor }) => [currency, new Total(openingMinor)]),
  );
  yield balances.map(({ currency, openingMinor: netMinor }) => ({
    at: from,
    kind: 'opening',
    currency,
    netMinor,
  }));
  for await (const page of pages) {
    for (const line of page) {
      const total = totals.get(line.currency) ?? new Total(0);
      totals.set(line.currency, total);
      total.add(line);
    }
    yield page;
  }
  for (const [currency, total] of totals) {
    yield total.rows().map((row) => ({ at: to, currency, ...row }));
  }
}
