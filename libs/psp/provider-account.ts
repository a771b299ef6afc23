import { type Instant, Rejection } from '#kernel';

export const ACCOUNT_MODES = ['test', 'live'] as const;
export type AccountMode = (typeof ACCOUNT_MODES)[number];

/**
 * A merchant's account at the provider: the key for requests, and the secret that verifies
 * webhooks.
 */
export interface ProviderAccount {
  /** `acc_…` */
  readonly id: string;
  /** The name of the account's provider. */
  readonly provider: string;
  readonly platformId: string;
  readonly merchantId: string;
  readonly mode: AccountMode;
  /** Secret. */
  readonly apiKey: string;
  readonly webhookEndpointId: string;
  /** Secret. */
  readonly webhookSecret: string;
}

export interface AccountRegistration {
  readonly platformId: string;
  readonly merchantId: string;
  readonly mode: AccountMode;
  readonly apiKey: string;
}

/**
 * An entry of the schedule of a merchant's accounts: the account that orders use from a time on.
 */
export interface ScheduleLine {
  readonly mode: AccountMode;
  readonly ordersFrom: Instant;
  readonly accountId: string;
  /** Whether the account accepts orders: false from the time at which it was disabled. */
  readonly takingOrders: boolean;
}

/** The entry in force: the last one that has started, as in the SQL function `current_account`. */
const lineAt = (lines: readonly ScheduleLine[], at: Instant): ScheduleLine | null =>
  lines.findLast(({ ordersFrom }) => ordersFrom <= at) ?? lines[0] ?? null;

/**
 * The account that an order placed now uses: the account of `mode`, or of the merchant's only mode;
 * null if there is none. Throws `Rejection('mode_required')` if the merchant has both modes and
 * `mode` is missing: a guess could deliver goods for a test card. Throws
 * `Rejection('account_disabled')` if the account in force accepts no orders.
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
      'this merchant has a test and a live account: set mode to the one to use',
    );
  }
  const line = lineAt(fitting, at);
  if (line?.takingOrders === false) {
    throw new Rejection(
      'account_disabled',
      'the provider account of this merchant is disabled: register another one to accept orders',
    );
  }
  return line && line.accountId;
};
