import { ApiProperty } from '@nestjs/swagger';
import { ACCOUNT_MODES } from '#psp';

export const ACCOUNT_STATUSES = [
  'awaiting_approval',
  'scheduled',
  'taking_orders',
  'replaced',
  'disabled',
] as const;

/** A merchant's account with the provider. */
export class AccountAnswer {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  merchantId!: string;

  @ApiProperty({ enum: ACCOUNT_MODES })
  mode!: string;

  @ApiProperty({
    enum: ACCOUNT_STATUSES,
    description:
      '`awaiting_approval`: two people must approve that orders use it instead of the merchant’s other ' +
      'account; `scheduled`: approved, and used from `ordersFrom` on; `taking_orders`: used by new ' +
      'orders; `replaced`: by another account, older orders keep it; `disabled`: no new orders.',
  })
  status!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The instant from which new orders use it; null while it awaits approval.',
  })
  ordersFrom!: Date | null;

  @ApiProperty({ description: 'The URL to which the provider sends the webhooks of this account.' })
  webhookUrl!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: Date;
}
