import { ApiProperty } from '@nestjs/swagger';

export const LEDGER_ACCOUNTS = [
  'payer', 'provider', 'merchant', 'fees', 'vat', 'disputes',
] as const;

export type LedgerAccountName = (typeof LEDGER_ACCOUNTS)[number];

const ENTRY_KINDS = [
  'payment', 'refund', 'dispute', 'dispute_reversal', 'payout', 'payout_failed',
] as const;

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
      '`payer`: negative by what payers have paid. `provider`: what the provider owes the ' +
      'merchant. `merchant`: what was paid out. `fees`, `vat`: what was kept of it. `disputes`: ' +
      'what payers took back, and disputes that were won did not bring again.',
  })
  account!: string;

  @ApiProperty({ type: 'integer' })
  balanceMinor!: number;
}

export class LedgerAccountList {
  @ApiProperty({ type: LedgerAccountAnswer, isArray: true })
  items!: readonly LedgerAccountAnswer[];
}

/** What one event added to an account. */
export class LedgerEntryAnswer {
  @ApiProperty({ description: 'The event that explains it, as its topic names it.' })
  eventId!: string;

  @ApiProperty({
    enum: ENTRY_KINDS,
    description: '`dispute_reversal`: a dispute that was won gives its amount back, not its fee.',
  })
  kind!: string;

  @ApiProperty({ description: 'Our payment, or the provider’s refund, dispute or payout.' })
  objectId!: string;

  @ApiProperty({ type: 'integer', description: 'With its sign.' })
  amountMinor!: number;

  @ApiProperty({ format: 'date-time' })
  at!: string;
}

/** An account with its entries, newest first. */
export class LedgerAccountPage extends LedgerAccountAnswer {
  @ApiProperty({ type: LedgerEntryAnswer, isArray: true })
  items!: readonly LedgerEntryAnswer[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}
