import { itemOf } from '#lists';
import { LEDGER_ACCOUNTS, ledgerEntries } from '#payout';
import { Field, Integer, ListOf, Nullable, OneOf } from '#platform';

export const LedgerEntry = itemOf(ledgerEntries('payer'));

/**
 * An account of the double-entry ledger. The balances of the six ledger accounts of one provider
 * account and currency sum to zero.
 */
export class LedgerAccountAnswer {
  @Field('The id of the account: provider account, currency and name.', {
    example: 'acc_3xKq0Zb7Yw2m4c9NfTgV1hJa-eur-provider',
  })
  id!: string;

  @Field()
  providerAccountId!: string;

  @Field()
  currency!: string;

  @OneOf(
    LEDGER_ACCOUNTS,
    '`payer`: minus what payers have paid. `provider`: what the provider owes the merchant. ' +
      '`merchant`: what was paid out. `fees`, `vat`: what the provider deducted. ' +
      '`disputes`: what was charged back, less disputes that were won.',
  )
  account!: string;

  @Integer()
  balanceMinor!: number;
}

export class LedgerAccountList {
  @ListOf(LedgerAccountAnswer)
  items!: readonly LedgerAccountAnswer[];

  @Nullable(String, 'Null on the last page.')
  nextCursor!: string | null;
}

/** An account with its entries, newest first. */
export class LedgerAccountPage extends LedgerAccountAnswer {
  @ListOf(LedgerEntry)
  items!: readonly object[];

  @Nullable(String, 'Null on the last page.')
  nextCursor!: string | null;
}
