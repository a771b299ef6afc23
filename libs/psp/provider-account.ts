import { type Instant, Rejection } from '#kernel';

export const ACCOUNT_MODES = ['test', 'live'] as const;
export type AccountMode = (typeof ACCOUNT_MODES)[number];

/** A merchant's account at the provider: which key pays, which secret verifies. */
export interface ProviderAccount {
  /** `acc_…` */
  readonly id: string;
  /** Which adapter it is used with. */
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

/** A line of a merchant's schedule, as its order has it: which account orders use from when on. */
export interface ScheduleLine {
  readonly mode: AccountMode;
  readonly ordersFrom: Instant;
  readonly accountId: string;
  /** False from where the account was disabled on. */
  readonly takingOrders: boolean;
}

/** The line in force: the last one that has begun, as `current_account` has it. */
const lineAt = (lines: readonly ScheduleLine[], at: Instant): ScheduleLine | null =>
  lines.findLast(({ ordersFrom }) => ordersFrom <= at) ?? lines[0] ?? null;

/**
 * The account that an order of now uses, or null: that of `mode`, or of the only mode that the
 * merchant has. Throws `Rejection('mode_required')` when there are two and nothing says which:
 * guessing could give goods away against a test card; `Rejection('account_disabled')` where the
 * account in force takes no orders.
 */
export const chooseAccount = (
  lines: readonly ScheduleLine[],
  mode: AccountMode | undefined,
  at: Instant,
): string | null => {
  const fitting = lines.filter((line) => mode === undefined || line.mode === mode);
  if (new Set(fitting.map((line) => line.mode)).size > 1) {
    throw new Rejection('mode_required', 'this merchant has a test and a live account: name one');
  }
  const line = lineAt(fitting, at);
  if (line?.takingOrders === false) {
    throw new Rejection('account_disabled', 'this merchant’s provider account is disabled');
  }
  return line && line.accountId;
};
