import { type Instant, Rejection } from '#kernel';

export const ACCOUNT_MODES = ['test', 'live'] as const;
export type AccountMode = (typeof ACCOUNT_MODES)[number];

/** A merchant's account at the provider: its API key, and the secret that verifies its webhooks. */
export interface ProviderAccount {
  /** Our id of the account (`acc_…`). */
  readonly id: string;
  /** The name of the account's provider. */
  readonly provider: string;
  readonly platformId: string;
  readonly merchantId: string;
  readonly mode: AccountMode;
  /** The secret API key of the account. */
  readonly apiKey: string;
  readonly webhookEndpointId: string;
  /** The secret that verifies the signatures of the account's webhooks. */
  readonly webhookSecret: string;
}

export interface AccountRegistration {
  readonly platformId: string;
  readonly merchantId: string;
  readonly mode: AccountMode;
  readonly apiKey: string;
}

/**
 * An entry in the schedule of a merchant's accounts: from this time on, new orders use this
 * account.
 */
export interface ScheduleLine {
  readonly mode: AccountMode;
  readonly ordersFrom: Instant;
  readonly accountId: string;
  /** Whether the account accepts orders; false after the account was disabled. */
  readonly takingOrders: boolean;
}

/**
 * The entry that applies at this time: the latest entry whose time has come, as in the SQL function
 * `current_account`.
 */
const lineAt = (lines: readonly ScheduleLine[], at: Instant): ScheduleLine | null =>
  lines.findLast(({ ordersFrom }) => ordersFrom <= at) ?? lines[0] ?? null;

/**
 * The account that a new order uses: the account of `mode`, or of the only mode in which the
 * merchant has accounts; null if there is none. Throws `Rejection('mode_required')` if the merchant
 * has accounts in both modes and `mode` is missing. A guessed mode could lead to the delivery of
 * goods that were paid with a test card. Throws `Rejection('account_disabled')` if the account
 * accepts no orders.
 */
export const chooseAccount = (
  lines: readonly ScheduleLine[],
  mode: AccountMode | undefined,
  at: Instant,
): string | null => {
  const fitting = lines.filter((line) => mode === undefined || line.mode === mode);
  if (new Set(fitting.map((line) => line.mode)).size > 1) {
    throw new Rejection(
      'mode_required',
      'this merchant has a test account and a live account: set mode to test or live',
    );
  }
  const line = lineAt(fitting, at);
  if (line?.takingOrders === false) {
    throw new Rejection(
      'account_disabled',
      'the provider account of this merchant is disabled: register a different provider account to accept orders',
    );
  }
  return line && line.accountId;
};
