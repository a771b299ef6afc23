import { ACCOUNT_MODES } from '#psp';
import { DateTime, Field, NullableDateTime, OneOf } from '#platform';

export const ACCOUNT_STATUSES = [
  'awaiting_approval',
  'scheduled',
  'taking_orders',
  'replaced',
  'disabled',
] as const;

/** A merchant's provider account. */
export class AccountAnswer {
  @Field('The id of the provider account, `acc_…`.')
  id!: string;

  @Field()
  merchantId!: string;

  @OneOf(ACCOUNT_MODES)
  mode!: string;

  @OneOf(
    ACCOUNT_STATUSES,
    '`awaiting_approval`: two people must approve that orders use it instead of the merchant’s other ' +
      'account; `scheduled`: approved, and used from `ordersFrom` on; `taking_orders`: used by new ' +
      'orders; `replaced`: by another account, older orders keep it; `disabled`: no new orders.',
  )
  status!: string;

  @NullableDateTime(
    'The instant from which new orders use the account; null while the account awaits approval.',
  )
  ordersFrom!: Date | null;

  @Field('The URL to which the provider sends the webhooks of this account.')
  webhookUrl!: string;

  @DateTime()
  createdAt!: Date;
}
