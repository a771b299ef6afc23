/**
 * The creditor whom a payer authorizes by a mandate. The creditor is the merchant, but the provider
 * collects, so all debits are sent under the provider's creditor identifier.
 */
export interface Creditor {
  readonly name: string;
  /** The SEPA creditor identifier. */
  readonly id: string;
}

/** The creditor with this name. No real creditor's identifier has the check digits 00. */
export const creditorNamed = (name: string): Creditor => ({ name, id: 'FR00ZZZ000000' });
