import { ApiProperty } from '@nestjs/swagger';
import { itemOf } from '#lists';
import { LEDGER_ACCOUNTS, ledgerEntries } from '#payout';

export const LedgerEntry = itemOf(ledgerEntries('payer'));

/**
 * An account of the double-entry ledger. Over the six accounts of a provider account and currency the
 * balances sum to zero.
 */
export class LedgerAccountAnswer {
  @ApiProperty({ example: 'acc_3xKq0Zb7Yw2m4c9NfTgV1hJa-eur-provider' })
  id!: string;

  @ApiProperty()
  providerAccountId!: string;

  @ApiProperty()
  currency!: string;

  @ApiProperty({
    enum: LEDGER_ACCOUNTS,
    description:
      '`payer`: minus what payers have paid. `provider`: what the provider owes the merchant. ' +
      '`merchant`: what was paid out. `fees`, `vat`: what the provider deducted. ' +
      '`disputes`: what was charged back, less disputes that were won.',
  })
  account!: string;

  @ApiProperty({ type: 'integer' })
  balanceMinor!: number;
}

export class LedgerAccountList {
  @ApiProperty({ type: LedgerAccountAnswer, isArray: true })
  items!: readonly LedgerAccountAnswer[];
}

/** An account with its entries, newest first. */
export class LedgerAccountPage extends LedgerAccountAnswer {
  @ApiProperty({ type: LedgerEntry, isArray: true })
  items!: readonly object[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}
