import { OnboardingClient, type OnboardingTransports } from './onboarding-client.js';
import { ACCOUNT_MODES, type AccountMode } from '#psp';

/** A partner's keys at the onboarding API; null: nobody is onboarded in this mode. */
export type PartnerKeys = Readonly<Record<AccountMode, string | null>>;

/** The onboarding API with the partner key of each mode, over one set of connections. */
export class OnboardingClients {
  readonly #transports: OnboardingTransports;
  readonly #clients: Readonly<Record<AccountMode, OnboardingClient | null>>;

  constructor(transports: OnboardingTransports, keys: PartnerKeys) {
    this.#transports = transports;
    const withKey = (key: string | null): OnboardingClient | null =>
      key === null ? null : new OnboardingClient(transports, key);
    this.#clients = { test: withKey(keys.test), live: withKey(keys.live) };
  }

  /** Null when there is no partner key of this mode. */
  of(mode: AccountMode): OnboardingClient | null {
    return this.#clients[mode];
  }

  /** The modes in which merchants are onboarded. */
  modes(): readonly AccountMode[] {
    return ACCOUNT_MODES.filter((mode) => this.#clients[mode] !== null);
  }

  async close(): Promise<void> {
    await Promise.all([this.#transports.partners.close(), this.#transports.manage.close()]);
  }
}
