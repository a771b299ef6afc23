import { type Instant, Rejection } from '#kernel';

export const ACCOUNT_MODES = ['test', 'live'] as const;
export type AccountMode = (typeof ACCOUNT_MODES)[number];

/** A merchant's account at the provider: which key pays, which secret verifies. */
export interface ProviderAccount {
  /** `acc_…` */
  readonly id: string;
  readonly platformId: string;
  readonly merchantId: string;
  readonly mode: AccountMode;
  /** Secret. */
  readonly apiKey: string;
  readonly webhookEndpointId: string;
  /** Secret, hexadecimal. */
  readonly webhookSecret: string;
}

export interface AccountRegistration {
  readonly platformId: string;
  readonly merchantId: string;
  readonly mode: AccountMode;
  readonly apiKey: string;
}

const KEY_PREFIX: Readonly<Record<AccountMode, string>> = { test: 'stest_', live: 'sprod_' };

/** Throws `Rejection('invalid_provider_key')` unless the key is one of this mode. */
export const checkProviderKey = ({ apiKey, mode }: AccountRegistration): void => {
  const prefix = KEY_PREFIX[mode];
  // Visible ASCII without a colon: a colon would end the user name of HTTP Basic.
  if (apiKey.startsWith(prefix) && /^[!-9;-~]{10,200}$/.test(apiKey)) return;
  const message = `a ${mode} account needs a provider key that begins ${prefix}`;
  throw new Rejection('invalid_provider_key', message);
};

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
  lines: readonly ScheduleLine[], mode: AccountMode | undefined, at: Instant,
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
