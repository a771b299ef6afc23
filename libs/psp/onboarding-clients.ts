import type { Onboarding } from './onboarding.js';
import type { ProviderAdapter } from './port.js';
import { ACCOUNT_MODES, type AccountMode } from './provider-account.js';

/** The partner key of each mode; null: merchants cannot be onboarded in this mode. */
export type PartnerKeys = Readonly<Record<AccountMode, string | null>>;

/** The onboarding clients of a provider, one for the partner key of each mode. */
export class OnboardingClients {
  readonly #clients: Readonly<Record<AccountMode, Onboarding | null>>;

  constructor(adapter: Pick<ProviderAdapter, 'onboarding'>, keys: PartnerKeys) {
    const withKey = (key: string | null): Onboarding | null =>
      key === null ? null : adapter.onboarding(key);
    this.#clients = { test: withKey(keys.test), live: withKey(keys.live) };
  }

  /** The client of a mode; null if there is no partner key of this mode. */
  of(mode: AccountMode): Onboarding | null {
    return this.#clients[mode];
  }

  /** The modes in which merchants are onboarded. */
  modes(): readonly AccountMode[] {
    return ACCOUNT_MODES.filter((mode) => this.#clients[mode] !== null);
  }
}
