import { Rejection } from '#kernel';

export type AccountMode = 'test' | 'live';

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

/**
 * The one account meant: the only one, or that of `mode`. Throws `Rejection('mode_required')` when
 * there are two and nothing says which: guessing could give goods away against a test card.
 */
export const chooseAccount = (
  accounts: readonly ProviderAccount[],
  mode: AccountMode | undefined,
): ProviderAccount | null => {
  const fitting = accounts.filter((account) => mode === undefined || account.mode === mode);
  if (fitting.length > 1) {
    throw new Rejection('mode_required', 'this merchant has a test and a live account: name one');
  }
  return fitting[0] ?? null;
};
