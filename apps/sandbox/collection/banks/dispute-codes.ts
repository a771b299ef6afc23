/** A dispute reason with its text from the specification. */
export interface DisputeCode {
  readonly meaning: string;
  /** True for codes marked (M) in the specification: a payer is shown the code 45 instead. */
  readonly masked: boolean;
}

export interface CardDisputeCode extends DisputeCode {
  readonly network: 'national' | 'first international' | 'second international';
}

const card =
  (network: CardDisputeCode['network'], isMasked = false) =>
  (meaning: string): CardDisputeCode => ({ network, meaning, masked: isMasked });

const national = card('national');
const first = card('first international');
const firstMasked = card('first international', true);
const second = card('second international');
const secondMasked = card('second international', true);

/** The dispute codes of card payments. See docs/provider/payments.md#card-dispute-codes. */
export const CARD_DISPUTE_CODES: Readonly<Record<string, CardDisputeCode>> = {
  14: national('Transaction not authorized'),
  42: national('Duplicate processing'),
  45: national('Transaction disputed'),
  1040: firstMasked('Fraud, card-absent environment'),
  1261: first('Duplicate processing'),
  4808: second('Required authorization not obtained; transaction not authorized'),
  4834: second('Duplicate processing'),
  4837: secondMasked('Fraudulent transaction; no cardholder authorization'),
  4853: second('Cardholder dispute: defective or not as described'),
  4863: secondMasked('Cardholder does not recognize; potential fraud'),
};

const shown = (meaning: string): DisputeCode => ({ meaning, masked: false });

/** The dispute codes of direct debits. See docs/provider/payments.md#sepa-dispute-codes. */
export const SEPA_DISPUTE_CODES: Readonly<Record<string, DisputeCode>> = {
  AC01: shown('Incorrect account number'),
  AC04: shown('Closed account number'),
  AC06: shown('Blocked account'),
  AC13: shown(
    'Invalid debtor account type (business-to-business collection on a consumer account)',
  ),
  AG01: shown('Transaction forbidden for this account type'),
  AG02: shown(
    'Invalid bank operation code (recurrent after one-off, one-off after recurrent, wrong scheme ' +
      'identification)',
  ),
  AM04: shown('Insufficient funds'),
  AM05: shown('Duplication'),
  BE05: shown('Unrecognised initiating party (creditor identifier incorrect or changed)'),
  CNOR: shown('Creditor bank is not registered'),
  DNOR: shown('Debtor bank is not registered'),
  ED05: shown('Settlement failed'),
  FF01: shown('Invalid file format'),
  MD01: shown(
    'No mandate (none exists, business mandate unconfirmed, refund of unauthorised transaction, ' +
      'mandate cancelled)',
  ),
  MD02: shown('Missing or inconsistent mandatory mandate information'),
  MD06: shown('Refund request by end customer (core collections, up to 8 weeks after debit date)'),
  MD07: shown('End customer deceased'),
  MS02: shown('Refusal by debtor at presentation'),
  MS03: shown(
    'Reason not specified, agent generated (only where national law forbids more specific codes)',
  ),
  RC01: shown('Bank identifier incorrect'),
  RR01: shown('Missing debtor account or identification'),
  RR02: shown('Missing debtor name or address'),
  RR03: shown('Missing creditor name or address'),
  RR04: shown('Regulatory reason'),
  SL01: shown(
    'Specific service offered by debtor agent (creditor blocking, amount or frequency limitation)',
  ),
};
