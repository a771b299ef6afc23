import type { Pool } from 'pg';
import { assert, HOUR_MS, type Instant, SECOND_MS } from '#kernel';
import { type AssertHeld, CoalescedReads, Problem, type SecretBox, SessionLocks } from '#platform';
import { AccountRows, type KnownAccount } from './account-rows.js';
import { AccountSchedules, type Payee } from './account-schedules.js';
import type { Capabilities } from './capabilities.js';
import { type KeyProof, type KeyReads, proveSame } from './key-proof.js';
import type { Operation } from './operation.js';
import type {
  Pace,
  ProviderAdapter,
  ProviderClient,
  WebhookEndpoint,
  WebhookEndpoints,
} from './port.js';
import type { AccountRegistration, ProviderAccount } from './provider-account.js';
import { CapabilityMissing } from './provider-error.js';
import { RecentCache } from './recent-cache.js';

/** The dependencies of `ProviderAccounts`. */
export interface ProviderAccountsParts {
  readonly pool: Pool;
  readonly secretBox: SecretBox;
  /** One adapter for each provider. New accounts use the first adapter. */
  readonly adapters: readonly [ProviderAdapter, ...ProviderAdapter[]];
  /** The https base URL under which the provider reaches the API, e.g. `https://pay.example`. */
  readonly publicWebhookUrl: string;
}

/**
 * What the caller of a registration supplies: the newest intent, a check that the caller still
 * holds its lock, and the recording of the account.
 */
export interface RegistrationParts extends Pick<KeyReads, 'latestIntentOf'> {
  /**
   * Throws if the caller has lost its lock. This check is the last call before anything is created
   * at the provider.
   */
  readonly callerHolds?: AssertHeld;
  /**
   * Records the account in the event log; may be repeated. With a `proof`, the account's key is
   * replaced, but only after the proof has been recorded.
   */
  readonly record: (accountId: string, proof: KeyProof | null) => Promise<void>;
}

const CACHED_ACCOUNTS = 1_000;
const CACHED_MS = 30 * SECOND_MS;
/**
 * The number of simultaneous registrations in a process, each with a database connection for its
 * lock; the connection counts in docs/configuration.md include these connections.
 */
const REGISTRATIONS_AT_ONCE = 4;

/**
 * The accounts at the provider: their API keys, and the account that the orders of a merchant use.
 * An account can be read only after its webhook endpoint exists. After a change of an account,
 * other processes may use its previous API key for up to 30 s. They may also use the previous
 * account for new orders for up to 5 s.
 */
export class ProviderAccounts {
  readonly #parts: ProviderAccountsParts;
  readonly #rows: AccountRows;
  readonly #byId = new RecentCache<ProviderAccount>(CACHED_ACCOUNTS, CACHED_MS);
  readonly #read = new CoalescedReads((ids) => this.#rows.byIds(ids));
  readonly #schedules: AccountSchedules;
  /** The name of each account's provider. It never changes, so it can be cached for long. */
  readonly #providers = new RecentCache<string>(CACHED_ACCOUNTS, HOUR_MS);
  readonly #locks: SessionLocks;

  constructor(parts: ProviderAccountsParts) {
    this.#parts = parts;
    this.#rows = new AccountRows(parts.pool, parts.secretBox);
    this.#schedules = new AccountSchedules((platformId, merchantId) =>
      this.#rows.scheduleOf(platformId, merchantId),
    );
    this.#locks = new SessionLocks(parts.pool, REGISTRATIONS_AT_ONCE);
  }

  /** The account; null if no account has this id, or its registration is not finished. */
  byId(accountId: string): Promise<ProviderAccount | null> {
    return this.#byId.get(accountId, async () => {
      const row = await this.#read.get(accountId);
      return row === null ? null : this.#rows.opened(row);
    });
  }

  /** As `AccountSchedules.forOrder`. */
  forOrder(payee: Payee, at: Instant): Promise<string | null> {
    return this.#schedules.forOrder(payee, at);
  }

  adapterOf({ provider }: Pick<ProviderAccount, 'provider'>): ProviderAdapter {
    const adapter = this.#parts.adapters.find(({ name }) => name === provider);
    assert(adapter, `there is an adapter for the provider ${provider}`);
    return adapter;
  }

  /**
   * The operation of a recorded request to any provider; null if no provider has such a request.
   */
  operationOf(method: string, pathTemplate: string): Operation | null {
    for (const adapter of this.#parts.adapters) {
      const operation = adapter.operationOf(method, pathTemplate);
      if (operation !== null) return operation;
    }
    return null;
  }

  /** The API of the account's provider with the account's key. */
  clientFor(account: Pick<ProviderAccount, 'provider' | 'apiKey'>, pace?: Pace): ProviderClient {
    return this.adapterOf(account).client(account.apiKey, pace);
  }

  /** The client of an account; null if no provider account has this id. */
  async clientOf(accountId: string): Promise<ProviderClient | null> {
    const account = await this.byId(accountId);
    return account && this.clientFor(account);
  }

  /** Throws `CapabilityMissing` if the account's provider lacks the capability. */
  async mustHave(
    accountId: string,
    capability: 'payments' | 'cancelableUntil' | 'debits' | 'refunds',
  ): Promise<void> {
    const capabilities = await this.capabilitiesOf(accountId);
    if (capabilities !== null && !capabilities[capability]) throw new CapabilityMissing(capability);
  }

  /** The capabilities of the account's provider; null if no provider account has this id. */
  async capabilitiesOf(accountId: string): Promise<Capabilities | null> {
    const provider = await this.#providers.get(accountId, () => this.#rows.providerOf(accountId));
    return provider === null ? null : this.adapterOf({ provider }).capabilities;
  }

  /** The URL to which the provider sends this account's webhooks. */
  webhookUrlOf(accountId: string): string {
    const base = this.#parts.publicWebhookUrl.replace(/\/+$/, '');
    return `${base}/provider/webhooks/${accountId}`;
  }

  /**
   * Creates the account and its webhook endpoint, or repairs them. A key that is proven to belong
   * to an account of the merchant replaces that account's key; any other key creates a new account;
   * an endpoint that is lost or has a different URL is created again. May be repeated after any
   * failure or crash: the row is written first, and an endpoint with our URL is searched before an
   * endpoint is created. So an endpoint whose creation got no response is found and not created
   * twice. Throws `Rejection('invalid_provider_key')`; `Problem('provider_key_taken')` if the key
   * belongs to the account of another merchant, whose payments and payouts would then be read for
   * this account; `Problem` while another registration of the merchant is in progress; whatever
   * `callerHolds` and `record` throw; and any `ProviderError`.
   */
  async register(
    registration: AccountRegistration,
    parts: RegistrationParts,
  ): Promise<ProviderAccount> {
    this.#parts.adapters[0].checkKey(registration);
    await this.#rows.refuseTaken(registration);
    const account = await this.#exclusively(registration, (lockHeld) => {
      // Called right before an endpoint is created: if a lock was lost during the reads before,
      // another process may have acquired this lock and may be creating the endpoint.
      const assertHeld = async () => void (await Promise.all([lockHeld(), parts.callerHolds?.()]));
      return this.#registerHeld(registration, parts, assertHeld);
    });
    this.#byId.clear();
    this.#schedules.clear();
    return account;
  }

  async #registerHeld(
    registration: AccountRegistration,
    parts: RegistrationParts,
    assertHeld: AssertHeld,
  ): Promise<ProviderAccount> {
    const adapter = this.#parts.adapters[0];
    const { name: provider } = adapter;
    const known = (await this.#rows.ofMerchant(registration)).filter(
      (one) => one.provider === provider,
    );
    const { payments, endpoints } = adapter.client(registration.apiKey);
    const listed = await endpoints.listWebhookEndpoints();
    const same = await this.#sameAs(registration, known, { payments, endpoints: listed, ...parts });
    if (same === null) await this.#rows.refuseOpened(registration, listed);
    // No order uses an account whose registration is not finished, so the registration may be
    // finished with a different key.
    const begun = known.find(({ endpoint }) => endpoint === null);
    const id = same?.id ?? begun?.id ?? (await this.#rows.begin(provider, registration));
    const endpoint = await this.#ensureEndpoint(endpoints, listed, id, assertHeld);
    // The proof is recorded before the key is replaced: if the proof cannot be recorded, the
    // account keeps the old key.
    if (same?.proof) await parts.record(id, same.proof);
    const account = await this.#rows.complete({ id, provider }, registration, endpoint);
    if (!same?.proof) await parts.record(id, null);
    return account;
  }

  /** The account that is stored with this key, or to which the key is proven to belong. */
  async #sameAs(
    { apiKey }: AccountRegistration,
    known: readonly KnownAccount[],
    reads: KeyReads,
  ): Promise<{ readonly id: string; readonly proof: KeyProof | null } | null> {
    const own = known.find((one) => one.apiKey === apiKey);
    if (own !== undefined) return { id: own.id, proof: null };
    for (const one of known) {
      const proof = await proveSame(one, reads);
      if (proof !== null) return { id: one.id, proof };
    }
    return null;
  }

  async #ensureEndpoint(
    endpoints: WebhookEndpoints,
    listed: readonly WebhookEndpoint[],
    accountId: string,
    assertHeld: AssertHeld,
  ): Promise<WebhookEndpoint> {
    const url = this.webhookUrlOf(accountId);
    // The list begins with the newest endpoint, so its last endpoint is the oldest. If several
    // endpoints have our URL, every repetition must choose the same endpoint.
    const ours = listed.filter((one) => one.url === url && one.enabled).at(-1);
    if (ours !== undefined) return ours;
    await assertHeld();
    return endpoints.createWebhookEndpoint(url);
  }

  /**
   * Runs at most one registration of a merchant at a time, across all processes: two simultaneous
   * registrations would both find no endpoint, and would create two endpoints.
   */
  async #exclusively<T>(
    { platformId, merchantId, mode }: AccountRegistration,
    work: (assertHeld: AssertHeld) => Promise<T>,
  ): Promise<T> {
    const held = await this.#locks.hold(
      `provider_accounts ${platformId} ${merchantId} ${mode}`,
      work,
    );
    if (held !== null) return held.result;
    const detail =
      'another request is registering an account of this merchant: send this request again in a few seconds';
    throw new Problem(409, 'account_registration_in_progress', detail, {
      headers: { 'retry-after': '1' },
    });
  }
}
