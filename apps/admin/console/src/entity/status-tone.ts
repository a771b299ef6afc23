import type { Dictionary } from '../i18n/en';
import type { Tone } from '../shared/status-badge';
import { ACCOUNT_TONES } from './account-status';
import type { EntityType } from './entity-types';
import { MERCHANT_TONES } from './merchant-status';
import { ORDER_TONES } from './order-status';
import { PAYMENT_TONES } from './payment-status';
import { PAYOUT_TONES } from './payout-status';
import { WEBHOOK_ENDPOINT_TONES } from './webhook-endpoint-status';

const TONES: Readonly<Record<EntityType, Readonly<Record<string, Tone>>>> = {
  order: ORDER_TONES,
  payment: PAYMENT_TONES,
  payout: PAYOUT_TONES,
  merchant: MERCHANT_TONES,
  account: ACCOUNT_TONES,
  webhook_endpoint: WEBHOOK_ENDPOINT_TONES,
};

/** The badge colour of a status; an unknown status has the colour of a waiting status. */
export const toneOf = (type: EntityType, status: string): Tone => TONES[type][status] ?? 'wait';

/** The label of a status; an unknown status is shown by its code. */
export const statusWord = (t: Dictionary, type: EntityType, status: string): string => {
  const words: Readonly<Record<EntityType, Readonly<Record<string, string>>>> = {
    order: t.lists.orderStatus,
    payment: t.lists.paymentStatus,
    payout: t.lists.payoutStatus,
    merchant: t.merchants.statuses,
    account: t.settings.accountStatus,
    webhook_endpoint: t.settings.endpointStatus,
  };
  return words[type][status] ?? status;
};
