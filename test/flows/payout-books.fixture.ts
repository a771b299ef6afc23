import { randomUUID } from 'node:crypto';
import { assert, newId, Rejection } from '#kernel';
import { EventStore, LogReader, PostgresLog } from '#log';
import { UPCASTERS } from '#orchestrator';
import {
  type AcceptedLineKind,
  type LineKind,
  type LineSums,
  type LineTotal,
  NO_LINES,
  payoutAggregate,
  payoutList,
  vatMinor,
} from '#payout';
import { ProjectionRunner } from '#projections';
import type { ProviderAccount } from '#psp';
import { HostedAdapter } from '#psp-hosted';
import { acceptLine } from '../../apps/admin/actions/accept-line.js';
import { ledger } from '../../apps/worker/ledger/ledger.js';
import { accountJob } from '../../apps/worker/payouts/account-job.js';
import { PayoutLines } from '../../apps/worker/payouts/payout-lines.js';
import { Reconciliation } from '../../apps/worker/payouts/reconciliation.js';
import { drain } from '../../apps/worker/projections/drain.fixture.js';
import type { WorkerBench } from '../../apps/worker/worker.fixture.js';

/** The amount, without a sign, and the fee. */
export interface Money {
  readonly amountMinor: number;
  readonly feeMinor: number;
}

/** A payment, refund, dispute or won dispute, as the ledger contains it. */
export interface Fact extends Money {
  readonly kind: AcceptedLineKind;
  readonly id: string;
}

/** A line of a payout; `journalId`: the id of its fact, if it has one. */
export interface Line extends Money {
  readonly kind: AcceptedLineKind;
  readonly id: string;
  readonly journalId: string;
  readonly times: number;
}

interface Shown {
  readonly date: string;
  /** A matched payment of 1000.00, so that no payout is negative: providers make no such payout. */
  readonly own: Line;
  readonly lines: readonly Line[];
}

/** How the amount of each kind changes what the provider owes the merchant. */
const signOf = (kind: AcceptedLineKind): number =>
  kind === 'payment' || kind === 'dispute_reversal' ? 1 : -1;

export const netOf = ({ kind, amountMinor, feeMinor }: Fact): number =>
  signOf(kind) * amountMinor - feeMinor;

const totalOf = (lines: readonly Line[], kind: LineKind): LineTotal =>
  lines
    .filter((one) => one.kind === kind || (kind === 'dispute' && one.kind === 'dispute_reversal'))
    .reduce(
      (sum, { kind: of, times, amountMinor, feeMinor }) => ({
        count: sum.count + times,
        amountMinor: sum.amountMinor + times * amountMinor * (of === 'dispute_reversal' ? -1 : 1),
        feesMinor: sum.feesMinor + times * feeMinor,
      }),
      NO_LINES,
    );

const linesOf = ({ own, lines }: Omit<Shown, 'date'>): readonly Line[] => [own, ...lines];

const sumsOf = (lines: readonly Line[]): LineSums => ({
  payment: totalOf(lines, 'payment'),
  refund: totalOf(lines, 'refund'),
  dispute: totalOf(lines, 'dispute'),
});

const BOOK = `
  WITH entry AS (
    INSERT INTO ledger_journal (event_id, kind, object_id, stream_id, account_id, platform_id,
             currency, amount_minor, payer_minor, provider_minor, merchant_minor, fees_minor,
             vat_minor, disputes_minor, at)
    VALUES ($1, $2, $3, 'pay_1', $4, 'plat_1', 'eur', $5, 0 - $6::bigint, $6::bigint - $7::bigint, 0,
            $7, 0, 0, $8)
    RETURNING *)
  INSERT INTO ledger_balances AS b
  SELECT platform_id, account_id, currency, payer_minor, provider_minor, merchant_minor, fees_minor,
         vat_minor, disputes_minor FROM entry
      ON CONFLICT (platform_id, account_id, currency) DO UPDATE
     SET payer_minor = b.payer_minor + excluded.payer_minor,
         provider_minor = b.provider_minor + excluded.provider_minor,
         fees_minor = b.fees_minor + excluded.fees_minor`;

const storeOf = ({ admin, clock }: WorkerBench): EventStore =>
  new EventStore(new PostgresLog(admin), UPCASTERS, { sagas: [], clock });

/** Operators accept the line of a break; returns the code of a rejection. */
export const acceptLineOf = async (
  bench: WorkerBench,
  exceptionId: string,
): Promise<string | null> => {
  const action = acceptLine({ pool: bench.admin, store: storeOf(bench) }, bench.clock);
  assert(action.executedAs === 'step', 'an acceptance appends events');
  const asked = { target: { subjectId: exceptionId }, reason: 'it is right', actor: 'user:spec' };
  try {
    await action.execute({ ...asked, id: newId('act'), approvedBy: null, private: null });
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return error.code;
  }
  return null;
};

/**
 * The ledger, the payouts and the breaks of an account, of which a spec decides the facts and what
 * the provider shows. Operators accept lines by the console's action.
 */
export class PayoutBooks {
  readonly facts: Fact[] = [];
  /** The payouts that have not failed. */
  readonly payouts = new Map<string, Shown>();
  readonly accountId = newId('acc');
  private readonly reconciliation: Reconciliation;
  private readonly projections: ProjectionRunner;
  private readonly store: EventStore;

  constructor(private readonly bench: WorkerBench) {
    const { pool, clock } = bench;
    const lines = new PayoutLines(pool);
    const saved = { save: () => Promise.resolve() };
    this.store = storeOf(bench);
    // Chunks of two lines: most comparisons take several statements.
    this.reconciliation = new Reconciliation(pool, this.store, saved, lines, clock, 2);
    this.projections = new ProjectionRunner(pool, new LogReader(pool, UPCASTERS), [
      ledger,
      payoutList,
    ]);
  }

  async book(fact: Fact): Promise<void> {
    const { kind, id, amountMinor, feeMinor } = fact;
    const values = [kind, id, this.accountId, amountMinor, signOf(kind) * amountMinor, feeMinor];
    await this.bench.rows(BOOK, randomUUID(), ...values, this.bench.clock.now());
    this.facts.push(fact);
  }

  /** The provider makes a payout of these lines, which is not sent yet; returns its id. */
  async pay(lines: readonly Line[], date: string): Promise<string> {
    const payoutId = newId('pout');
    const fact = { kind: 'payment', id: newId('pay'), amountMinor: 100_000, feeMinor: 21 } as const;
    await this.book(fact);
    const own = { ...fact, id: newId('paym'), journalId: fact.id, times: 1 };
    this.payouts.set(payoutId, { lines, date, own });
    await this.observe(payoutId, 'pending');
    await this.list(payoutId, lines);
    return payoutId;
  }

  async send(payoutId: string): Promise<void> {
    await this.observe(payoutId, 'sent');
  }

  async fail(payoutId: string): Promise<void> {
    await this.observe(payoutId, 'failed');
    this.payouts.delete(payoutId);
  }

  /** The provider shows these lines from now on, which have the same sums. */
  async show(payoutId: string, lines: readonly Line[]): Promise<void> {
    // A read in between shows other sums, because lines with the same sums are not compared again.
    await this.note(payoutId, []);
    await this.list(payoutId, lines);
  }

  /** The daily comparison of the lines with the ledger. */
  async compare(): Promise<void> {
    const { bench, accountId } = this;
    await drain(bench.pool, this.projections);
    const { calendar, capabilities } = new HostedAdapter(bench.transport);
    const account = { id: accountId, platformId: 'plat_1', merchantId: 'm_1' } as ProviderAccount;
    const job = { key: accountId, accountId, progress: {} } as unknown as Parameters<
      typeof accountJob
    >[1];
    const reader = { account, calendar, capabilities };
    await this.reconciliation.run(accountJob('account.reconcile', job), reader);
  }

  /** The open breaks of lines, each as its kind and line. */
  async open(): Promise<readonly { readonly id: string; readonly text: string }[]> {
    return this.bench.rows(
      `SELECT exception_id AS id, kind || ' ' || object_id AS text FROM reconciliation_exceptions
        WHERE account_id = $1 AND line_kind <> 'payout' AND closed_at IS NULL
        ORDER BY kind, object_id, exception_id`,
      this.accountId,
    );
  }

  /** Operators accept the line of a break; returns the code of a rejection. */
  accept(exceptionId: string): Promise<string | null> {
    return acceptLineOf(this.bench, exceptionId);
  }

  /** Sends all payouts, compares, and accepts all breaks, until there is none. */
  async settle(): Promise<void> {
    for (const id of this.payouts.keys()) await this.send(id);
    await this.compare();
    for (const { id } of await this.open()) await this.accept(id);
    await this.compare();
  }

  /** What the provider owes the merchant according to the ledger. */
  async owedMinor(): Promise<number> {
    await drain(this.bench.pool, this.projections);
    const [row] = await this.bench.rows<{ owed: number }>(
      'SELECT provider_minor::int AS owed FROM ledger_balances WHERE account_id = $1',
      this.accountId,
    );
    return row?.owed ?? 0;
  }

  /** What the provider owes the merchant: the facts that no payout contains. */
  unpaidMinor(): number {
    const paid = [...this.payouts.values()].flatMap(linesOf);
    return this.facts
      .filter(({ kind, id }) => !paid.some((one) => one.kind === kind && one.journalId === id))
      .reduce((sum, fact) => sum + netOf(fact), 0);
  }

  private async list(payoutId: string, lines: readonly Line[]): Promise<void> {
    const { bench, accountId } = this;
    const shown = { ...this.shown(payoutId), lines };
    this.payouts.set(payoutId, shown);
    await bench.rows('DELETE FROM payout_lines WHERE payout_id = $1', payoutId);
    for (const { kind, id, journalId, amountMinor, feeMinor, times } of linesOf(shown)) {
      await bench.rows(
        `INSERT INTO payout_lines (payout_id, kind, object_id, account_id, provider_payment_id,
                journal_id, currency, amount_minor, fee_minor, places)
         SELECT $1, $2, $3, $4, 'paym_1', $5, 'eur', $6, $7, array_agg(n)
           FROM generate_series(1, $8::integer) AS n`,
        payoutId,
        kind,
        id,
        accountId,
        journalId,
        amountMinor,
        feeMinor,
        times,
      );
    }
    await this.note(payoutId, linesOf(shown));
  }

  private async note(payoutId: string, lines: readonly Line[]): Promise<void> {
    const { clock } = this.bench;
    await this.command(payoutId, { type: 'NoteLines', lines: sumsOf(lines), at: clock.now() });
  }

  private shown(payoutId: string): Shown {
    const shown = this.payouts.get(payoutId);
    assert(shown !== undefined, 'the payout has not failed');
    return shown;
  }

  private async observe(payoutId: string, status: string): Promise<void> {
    const { date, ...shown } = this.shown(payoutId);
    const { payment, refund, dispute } = sumsOf(linesOf(shown));
    const feesMinor = payment.feesMinor + refund.feesMinor + dispute.feesMinor;
    const gross = payment.amountMinor - refund.amountMinor - dispute.amountMinor;
    const card = (of: LineTotal) => ({ card: of, sepa: NO_LINES });
    await this.command(payoutId, {
      type: 'ObservePayout',
      account: { accountId: this.accountId, platformId: 'plat_1', merchantId: 'm_1', mode: 'test' },
      observation: {
        status,
        reference: 'R-1',
        currency: 'eur',
        amountMinor: gross - feesMinor - vatMinor(feesMinor),
        feesMinor,
        feesVatMinor: vatMinor(feesMinor),
        date,
        bankDate: null,
        totals: { payment: card(payment), refund: card(refund), dispute: card(dispute) },
      },
      at: this.bench.clock.now(),
    });
  }

  private async command(
    payoutId: string,
    command: Parameters<typeof payoutAggregate.decider.decide>[1],
  ): Promise<void> {
    await this.store.execute(payoutAggregate, payoutId, command, this.bench.metadata(payoutId));
  }
}
