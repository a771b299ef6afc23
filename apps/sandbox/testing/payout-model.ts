/**
 * The expected result of some days of payments, refunds, disputes and failed payouts, computed
 * independently of the sandbox's code. Mornings are numbered from 0; all operations of a day happen
 * at noon.
 */

/**
 * The operations of one day. Except amounts and percentages, a number `n` stands for a payment or a
 * dispute: of those to which the operation can apply, the one with the index `n` modulo their
 * count.
 */
export interface Day {
  readonly pays: readonly { readonly amount: number; readonly isDisputed: boolean }[];
  readonly refunds: readonly { readonly payment: number; readonly percent: number }[];
  readonly disputes: readonly number[];
  /** The open disputes for which evidence is sent on this day. */
  readonly contests: readonly number[];
  /** The disputes under review that are marked as won on this day. */
  readonly wins: readonly number[];
  readonly failsPayout: boolean;
}

interface ModelPayment {
  readonly amount: number;
  /** The morning on which the payment settled. */
  readonly settled: number;
  isDisputed: boolean;
  readonly disputedOn: number | null;
  /** The amount of open and completed refunds. */
  refunded: number;
}

interface ModelDispute {
  readonly payment: number;
  readonly amount: number;
  /** True when the test card's bank decides the dispute automatically. */
  readonly isPlanned: boolean;
  status: 'open' | 'sent' | 'under_review' | 'won';
  /** The morning of the dispute's next status change. */
  due: number | null;
}

interface ModelLine {
  readonly kind: 'payment' | 'refund' | 'dispute' | 'dispute_reversal';
  readonly amount: number;
  readonly fee: number;
  /** The morning on which the line joins a payout; null when the line was carried over. */
  due: number | null;
  isBooked: boolean;
}

export interface ModelPayout {
  readonly day: number;
  readonly amount: number;
  readonly fees: number;
  readonly vat: number;
  status: 'pending' | 'to_pay' | 'sent' | 'paid' | 'failed';
  readonly lines: readonly ModelLine[];
}

/** `numerator / denominator` rounded to the nearest integer, half to even. */
const rounded = (numerator: number, denominator: number): number => {
  const down = Math.floor(numerator / denominator);
  const twice = 2 * (numerator - down * denominator);
  if (twice < denominator) return down;
  if (twice > denominator) return down + 1;
  return down % 2 === 0 ? down : down + 1;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

const ADDED: ReadonlySet<ModelLine['kind']> = new Set(['payment', 'dispute_reversal']);

export class PayoutModel {
  readonly payouts: ModelPayout[] = [];
  readonly payments: ModelPayment[] = [];
  private waiting: ModelLine[] = [];
  private readonly disputes: ModelDispute[] = [];
  private readonly booked: ModelLine[] = [];
  private day = 0;
  /** The refunds requested on the current day, which are not yet sent to the bank. */
  private unsent: { readonly payment: ModelPayment; readonly line: ModelLine }[] = [];

  /** `weekday` is the weekday of day 0, where 0 means Sunday. */
  constructor(private readonly weekday: number) {}

  pay(amount: number, isDisputed: boolean): void {
    const settled = this.day + 1;
    const disputedOn = isDisputed ? settled + 1 : null;
    this.payments.push({ amount, settled, isDisputed: false, disputedOn, refunded: 0 });
  }

  /** The payments that may be refunded or disputed now. */
  captured(): number[] {
    return [...this.payments.keys()].filter((index) => {
      const payment = this.payments[index];
      return payment !== undefined && payment.settled <= this.day && !payment.isDisputed;
    });
  }

  leftOf(index: number): number {
    const payment = this.payments[index];
    return payment === undefined ? 0 : payment.amount - payment.refunded;
  }

  refund(index: number, amount: number): void {
    const payment = this.payments[index];
    if (payment === undefined) return;
    payment.refunded += amount;
    const line: ModelLine = {
      kind: 'refund',
      amount,
      fee: 0,
      due: this.day + 1,
      isBooked: false,
    };
    this.waiting.push(line);
    this.unsent.push({ payment, line });
  }

  /**
   * The amount that a dispute charges back: the payment less the refunds already sent. Refunds
   * requested on the day of the dispute are not deducted, because the dispute cancels them.
   */
  leftToDispute(index: number): number {
    const payment = this.payments[index];
    return payment === undefined ? 0 : this.leftOf(index) + sum(this.unsentOf(payment));
  }

  dispute(index: number): void {
    const payment = this.payments[index];
    if (payment === undefined) return;
    payment.refunded -= sum(this.unsentOf(payment));
    const unsentRefunds = this.unsent.filter((each) => each.payment === payment);
    this.waiting = this.waiting.filter((line) => unsentRefunds.every((each) => each.line !== line));
    this.openDispute(payment, this.day + 1);
  }

  /** Payments with a dispute in this status. */
  disputedIn(status: 'open' | 'under_review'): number[] {
    return this.disputes.filter((one) => one.status === status).map(({ payment }) => payment);
  }

  contest(index: number): void {
    const dispute = this.disputes.find(({ payment }) => payment === index);
    if (dispute !== undefined)
      Object.assign(dispute, { status: 'sent', due: this.bankDay(this.day, 2) });
  }

  win(index: number): void {
    const dispute = this.disputes.find(({ payment }) => payment === index);
    if (dispute !== undefined) this.reverseDispute(dispute, this.day + 1);
  }

  /** The newest payout, if its transfer can still fail. */
  failable(): ModelPayout | null {
    const newest = this.payouts.at(-1);
    return newest === undefined || /paid|failed/.test(newest.status) ? null : newest;
  }

  fail(payout: ModelPayout): void {
    payout.status = 'failed';
    for (const line of payout.lines) this.waiting.push({ ...line, due: this.day + 1 });
  }

  /** Advances the model to noon of the next day. */
  pass(): void {
    for (const payout of this.payouts) if (payout.status === 'pending') payout.status = 'to_pay';
    this.day += 1;
    this.unsent = [];
    if (this.isBankDay(this.day)) this.transfer();
    this.settle();
    this.decide();
    this.payOut();
  }

  accounts(): Record<string, number> {
    const sumOf = (kind: ModelLine['kind']): number =>
      sum(this.booked.filter((line) => line.kind === kind).map((line) => line.amount));
    const fees = sum(this.booked.map((line) => line.fee));
    const left = this.payouts.filter(({ status }) => status === 'sent' || status === 'paid');
    const vat = sum(left.map((payout) => payout.vat));
    const payouts = sum(left.map((payout) => payout.amount));
    const [paid, refunds] = [sumOf('payment'), sumOf('refund')];
    const disputes = sumOf('dispute') - sumOf('dispute_reversal');
    return {
      payer: refunds - paid,
      disputes,
      fees,
      vat,
      payouts,
      merchant: paid - refunds - disputes - fees - vat - payouts,
    };
  }

  private unsentOf(payment: ModelPayment): number[] {
    return this.unsent.filter((each) => each.payment === payment).map(({ line }) => line.amount);
  }

  private isBankDay(day: number): boolean {
    return ![0, 6].includes((this.weekday + day) % 7);
  }

  private transfer(): void {
    for (const payout of this.payouts) {
      if (payout.status === 'sent') payout.status = 'paid';
      else if (payout.status === 'to_pay') payout.status = 'sent';
    }
  }

  /** The `count`-th bank day after this day. */
  private bankDay(day: number, count: number): number {
    let on = day;
    for (let left = count; left > 0;) {
      on += 1;
      if (this.isBankDay(on)) left -= 1;
    }
    return on;
  }

  private decide(): void {
    for (const dispute of this.disputes) {
      if (dispute.due !== this.day) continue;
      if (dispute.status === 'under_review') this.reverseDispute(dispute, this.day);
      else {
        const due = dispute.isPlanned ? this.bankDay(this.day, 1) : null;
        Object.assign(dispute, { status: 'under_review', due });
      }
    }
  }

  /** Returns the amount of a won dispute to the merchant, but not the dispute fee. */
  private reverseDispute(dispute: ModelDispute, due: number): void {
    Object.assign(dispute, { status: 'won', due: null });
    const { amount } = dispute;
    this.waiting.push({ kind: 'dispute_reversal', amount, fee: 0, due, isBooked: false });
  }

  private settle(): void {
    for (const payment of this.payments) {
      if (payment.settled === this.day) {
        const fee = rounded(payment.amount * 7 + 7_000, 1_000);
        this.waiting.push({
          kind: 'payment',
          amount: payment.amount,
          fee,
          due: this.day,
          isBooked: false,
        });
      }
      if (payment.disputedOn === this.day && !payment.isDisputed)
        this.openDispute(payment, this.day);
    }
  }

  private openDispute(payment: ModelPayment, due: number): void {
    const amount = payment.amount - payment.refunded;
    if (amount === 0) return;
    payment.isDisputed = true;
    this.disputes.push({
      payment: this.payments.indexOf(payment),
      amount,
      isPlanned: payment.disputedOn !== null,
      status: 'open',
      due: null,
    });
    this.waiting.push({ kind: 'dispute', amount, fee: 1_500, due, isBooked: false });
  }

  private payOut(): void {
    const due = this.waiting.filter((line) => line.due === null || line.due <= this.day);
    if (!due.some((line) => line.due !== null)) return;
    for (const line of due) {
      if (!line.isBooked) this.booked.push(line);
      line.isBooked = true;
    }
    const gross = sum(due.map(({ kind, amount }) => (ADDED.has(kind) ? amount : -amount)));
    const fees = sum(due.map((line) => line.fee));
    const vat = rounded(fees * 20, 100);
    if (gross - fees - vat <= 0) {
      for (const line of due) line.due = null;
      return;
    }
    this.waiting = this.waiting.filter((line) => !due.includes(line));
    const amount = gross - fees - vat;
    this.payouts.push({ day: this.day, amount, fees, vat, status: 'pending', lines: due });
  }
}
