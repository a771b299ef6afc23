import type { Filter, List } from '#lists';
import { ORDER_LIST } from '#order';
import { PAYMENT_LIST } from '#payment';
import {
  EXCEPTION_LIST,
  JOURNAL_LIST,
  OPEN_BREAKS,
  PAYOUT_LIST,
  PAYOUT_RECONCILIATIONS,
} from '#payout';
import { modeColumn, modeFilter } from './mode.js';

export const ORDERS = {
  ...ORDER_LIST,
  columns: { ...ORDER_LIST.columns, mode: modeColumn('order_list.account_id') },
  filters: { ...ORDER_LIST.filters, mode: modeFilter() },
} as const satisfies List;

/**
 * The list of payments, with additional columns and filters for the payments that each figure of
 * the money page counts.
 */
export const PAYMENTS = {
  ...PAYMENT_LIST,
  columns: {
    ...PAYMENT_LIST.columns,
    mode: modeColumn('payment_list.account_id'),
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
    mode: modeFilter(),
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
  columns: {
    ...PAYOUT_LIST.columns,
    openBreaks: {
      sql: `SELECT count(*) ${OPEN_BREAKS}`,
      holds: 'integer',
      means:
        'The number of open reconciliation breaks, also of the payout itself, for example if it has not arrived in time.',
    },
  },
  filters: {
    ...PAYOUT_LIST.filters,
    mode: modeFilter(),
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
  mode: modeFilter(),
  currency: { is: 'id', where: 'currency = ?', means: 'Only breaks in this currency.' },
  sinceFrom: { is: 'day', where: 'since >= ?', means: 'Of this day or later.' },
  sinceTo: { is: 'day', where: 'since < ?', means: 'Of a day before this day.' },
} as const satisfies Readonly<Record<string, Filter>>;

export const LEDGER_ENTRIES = {
  ...JOURNAL_LIST,
  columns: { ...JOURNAL_LIST.columns, mode: modeColumn('j.account_id') },
  filters: { ...JOURNAL_LIST.filters, mode: modeFilter('j.account_id') },
} as const satisfies List;
