import type { SepaRow } from '../sepa/sepa-resource.js';

/** The payment for which the payer signs a mandate. */
export interface SignedFor {
  readonly amount: number;
  readonly description: string | null;
}

/**
 * What the payer signs, as it was at the signature: the bank account, the payment and the
 * merchant's name may change later, but the document of the mandate does not.
 */
export interface SignedForm {
  /** The creditor's name; null for a mandate that was signed before names were stored. */
  readonly creditor: string | null;
  readonly name: string;
  /** The visible part of the IBAN, such as `FR** **** **** 0194`: the full IBAN is not stored. */
  readonly iban: string;
  readonly bic: string | null;
  /** Null for an imported mandate. */
  readonly first_debit: SignedFor | null;
}

export const signedForm = (
  { name, country, last4, bic }: SepaRow,
  creditor: string,
  first: SignedFor | null,
): SignedForm => ({
  creditor,
  name,
  iban: `${country}** **** **** ${last4}`,
  bic,
  first_debit: first === null ? null : { amount: first.amount, description: first.description },
});
