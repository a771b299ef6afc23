import type { Filter, List } from '#lists';
import { PAYMENT_LIST } from '#payment';
import { EXCEPTION_LIST, PAYOUT_LIST, PAYOUT_RECONCILIATIONS } from '#payout';
import { ACCOUNT_MODES } from '#psp';

const MODE = {
  is: 'one',
  of: ACCOUNT_MODES,
  where: 'account_id IN (SELECT a.id FROM provider_accounts a WHERE a.mode = ?)',
  means: 'Only of provider accounts in this mode.',
} as const satisfies Filter;

/**
 * The list of payments, with additional columns and filters for the payments that each figure of
 * the money page counts.
 */
export const PAYMENTS = {
  ...PAYMENT_LIST,
  columns: {
    ...PAYMENT_LIST.columns,
    authorizedAt: {
      sql: 'authorized_at',
      holds: 'instant',
      nullable: true,
      means: 'When the payment was authorized, or the direct debit accepted; null: it was not.',
    },
    expiresAt: {
      sql: 'expires_at',
      holds: 'instant',
      nullable: true,
      means: 'When the authorization expires at the provider without a capture.',
    },
    declineCode: {
      sql: 'decline_code',
      nullable: true,
      means: 'The response code of the last declined attempt.',
    },
  },
  filters: {
    ...PAYMENT_LIST.filters,
    mode: MODE,
    authorizedFrom: {
      is: 'instant',
      where: 'authorized_at >= ?',
      means: 'Authorized at this instant or later; direct debits: accepted.',
    },
    declinedFrom: {
      is: 'instant',
      where: 'declined_at >= ?',
      means: 'Last declined at this instant or later.',
    },
    declineCode: {
      is: 'id',
      where: "declined_at IS NOT NULL AND coalesce(decline_code, 'none') = ?",
      means: 'The response code of the last declined attempt; `none`: the bank gave no code.',
    },
    authorized: {
      is: 'flag',
      where: 'authorized_at IS NOT NULL',
      otherwise: 'authorized_at IS NULL',
      means: 'Whether the payment was authorized.',
    },
    expiresTo: {
      is: 'instant',
      where: "status = 'authorized' AND expires_at < ?",
      means: 'Only payments without a capture whose authorization expires before this instant.',
    },
  },
} as const satisfies List;

export const PAYOUTS = {
  ...PAYOUT_LIST,
  filters: {
    ...PAYOUT_LIST.filters,
    mode: MODE,
    reconciliation: {
      is: 'case',
      where: PAYOUT_RECONCILIATIONS,
      means: 'The result of the reconciliation; `unread`: there is none yet.',
    },
  },
} as const satisfies List;

/** The filters of reconciliation breaks by amount and age. */
export const BREAK_FILTERS = {
  ...EXCEPTION_LIST.filters,
  mode: MODE,
  currency: { is: 'id', where: 'currency = ?', means: 'Only breaks in this currency.' },
  sinceFrom: { is: 'day', where: 'since >= ?', means: 'Of this day or later.' },
  sinceTo: { is: 'day', where: 'since < ?', means: 'Of a day before this day.' },
} as const satisfies Readonly<Record<string, Filter>>;
