import { createHash } from 'node:crypto';
import { DatabaseError, type Pool } from 'pg';
import { newId, SECOND_MS } from '#kernel';
import { type AssertHeld, Problem, type SecretBox, SessionLocks } from '#platform';
import { CoalescedReads } from './coalesced-reads.js';
import { PaymentClient } from './payment-client.js';
import type { WireWebhookEndpoint } from './payment-wire.js';
import {
  type AccountMode, type AccountRegistration, checkProviderKey, chooseAccount,
  type ProviderAccount,
} from './provider-account.js';
import type { ProviderTransport } from './provider-transport.js';
import { RecentCache } from './recent-cache.js';

interface AccountRow {
  readonly id: string;
  readonly platform_id: string;
  readonly merchant_id: string;
  readonly mode: AccountMode;
  readonly api_key_sealed: Buffer;
  readonly webhook_endpoint_id: string;
  readonly webhook_secret_sealed: Buffer;
}

/** What `ProviderAccounts` works with. */
export interface ProviderAccountsParts {
  readonly pool: Pool;
  readonly secretBox: SecretBox;
  readonly transport: ProviderTransport;
  /** The https base under which the provider reaches the api, e.g. `https://pay.example`. */
  readonly publicWebhookUrl: string;
}

const CACHED_ACCOUNTS = 1_000;
const CACHED_MS = 30 * SECOND_MS;
/** Connections for locks; docs/configuration.md counts them. */
const REGISTRATIONS_AT_ONCE = 4;

const SELECT_COMPLETE = `
  SELECT id, platform_id, merchant_id, mode, api_key_sealed, webhook_endpoint_id,
         webhook_secret_sealed
  FROM provider_accounts
  WHERE webhook_endpoint_id IS NOT NULL AND webhook_secret_sealed IS NOT NULL`;

const TAKEN = `
  SELECT FROM provider_accounts
   WHERE api_key_digest = $1 AND (platform_id, merchant_id, mode) <> ($2, $3, $4)`;

/** Registered before digests were kept, the oldest first: of two with one key it is the owner. */
const WITHOUT_DIGEST = `
  SELECT id, api_key_sealed FROM provider_accounts
   WHERE api_key_digest IS NULL AND webhook_endpoint_id IS NOT NULL
   ORDER BY created_at`;

const SET_DIGEST = `
  UPDATE provider_accounts a SET api_key_digest = $2
   WHERE id = $1 AND api_key_digest IS NULL
     AND NOT EXISTS (SELECT FROM provider_accounts other WHERE other.api_key_digest = $2)`;

/** A key is long and random: from this it is not to be had. */
const digestOf = (apiKey: string): Buffer => createHash('sha256').update(apiKey).digest();

/** One answer, whosever it is. */
const keyTaken = (cause?: unknown): Problem =>
  new Problem(409, 'provider_key_taken', 'this key is another account’s: each has its own', {
    errors: [{ detail: 'is another account’s', pointer: '#/apiKey' }], cause,
  });

const isTaken = (error: unknown): boolean =>
  error instanceof DatabaseError && error.constraint === 'provider_accounts_of_key';

/**
 * The accounts at the provider, kept in `provider_accounts` with their secrets sealed (bound to
 * account and field, so a sealed value copied to another row does not open). An account exists for
 * others once its webhook endpoint does. Reads may be up to 30 s old in other processes.
 */
export class ProviderAccounts {
  readonly #parts: ProviderAccountsParts;
  readonly #byId = new RecentCache<ProviderAccount>(CACHED_ACCOUNTS, CACHED_MS);
  readonly #rows = new CoalescedReads<AccountRow>(async (ids) => {
    const rows = await this.#select('AND id = ANY($1)', [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  });
  readonly #ofMerchant = new RecentCache<readonly ProviderAccount[]>(CACHED_ACCOUNTS, CACHED_MS);

  readonly #locks: SessionLocks;

  constructor(parts: ProviderAccountsParts) {
    this.#parts = parts;
    this.#locks = new SessionLocks(parts.pool, REGISTRATIONS_AT_ONCE);
  }

  /** The account, or null when there is none or its registration has not been finished. */
  byId(accountId: string): Promise<ProviderAccount | null> {
    return this.#byId.get(accountId, async () => {
      const row = await this.#rows.get(accountId);
      return row === null ? null : this.#opened(row);
    });
  }

  /**
   * A merchant's account, or null. Where the merchant has one in each mode, `mode` must say which,
   * else `Rejection('mode_required')`.
   */
  async forMerchant(
    platformId: string,
    merchantId: string,
    mode?: AccountMode,
  ): Promise<ProviderAccount | null> {
    const cacheKey = JSON.stringify([platformId, merchantId]);
    const accounts = await this.#ofMerchant.get(cacheKey, async () => {
      const both = 'AND platform_id = $1 AND merchant_id = $2';
      const found = await this.#select(both, [platformId, merchantId]);
      return found.length === 0 ? null : found.map((row) => this.#opened(row));
    });
    return chooseAccount(accounts ?? [], mode);
  }

  /** The payment API with this account's key. */
  clientFor(account: Pick<ProviderAccount, 'apiKey'>): PaymentClient {
    return new PaymentClient(this.#parts.transport, account.apiKey);
  }

  /** Where the provider sends this account's webhooks. */
  webhookUrlOf(accountId: string): string {
    const base = this.#parts.publicWebhookUrl.replace(/\/+$/, '');
    return `${base}/provider/webhooks/${accountId}`;
  }

  /**
   * Makes the account and its webhook endpoint, or mends what is there: another key replaces the
   * old one, a lost or moved endpoint is made again. May be repeated after any failure or crash:
   * the row comes first, then an endpoint with our address is looked for before one is created, so
   * an endpoint whose creation was never heard of is found instead of doubled. What the caller
   * itself must still hold, `callerHolds`, is asked last before anything is made at the provider.
   *
   * Throws `Rejection('invalid_provider_key')`, `Problem('provider_key_taken')` where another
   * account has the key, whose payments and payouts it would read, `Problem('registration_in_flight')`
   * while another registration of the account is under way, what `callerHolds` throws, and any
   * `ProviderError`.
   */
  async register(
    registration: AccountRegistration, callerHolds?: AssertHeld,
  ): Promise<ProviderAccount> {
    checkProviderKey(registration);
    await this.#refuseTaken(registration);
    const accountId = await this.#ensureRow(registration);
    const account = await this.#exclusively(accountId, async (lockHeld) => {
      // A lock lost during the list is another's by now, who makes the endpoint.
      const assertHeld = async () => void (await Promise.all([lockHeld(), callerHolds?.()]));
      const endpoint = await this.#ensureEndpoint(registration.apiKey, accountId, assertHeld);
      return this.#complete(accountId, registration, endpoint);
    });
    this.#byId.clear();
    this.#ofMerchant.clear();
    return account;
  }

  async #refuseTaken(
    { platformId, merchantId, mode, apiKey }: AccountRegistration,
  ): Promise<void> {
    await this.#digestOldKeys();
    const values = [digestOf(apiKey), platformId, merchantId, mode];
    const { rowCount } = await this.#parts.pool.query(TAKEN, values);
    if (rowCount !== 0) throw keyTaken();
  }

  async #digestOldKeys(): Promise<void> {
    const { pool } = this.#parts;
    const { rows } = await pool.query<Pick<AccountRow, 'id' | 'api_key_sealed'>>(WITHOUT_DIGEST);
    for (const { id, api_key_sealed: sealed } of rows) {
      const known = this.#open(id, 'api_key', sealed);
      await pool.query(SET_DIGEST, [id, digestOf(known)]);
    }
  }

  async #ensureRow({ platformId, merchantId, mode, apiKey }: AccountRegistration): Promise<string> {
    const newAccountId = newId('acc');
    const { pool } = this.#parts;
    await pool.query(
      `INSERT INTO provider_accounts
         (id, platform_id, merchant_id, mode, api_key_sealed, created_at)
       VALUES ($1, $2, $3, $4, $5, clock_timestamp())
       ON CONFLICT (platform_id, merchant_id, mode) DO NOTHING`,
      [newAccountId, platformId, merchantId, mode, this.#seal(newAccountId, 'api_key', apiKey)],
    );
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM provider_accounts
       WHERE platform_id = $1 AND merchant_id = $2 AND mode = $3`,
      [platformId, merchantId, mode],
    );
    return rows[0]?.id ?? newAccountId;
  }

  async #ensureEndpoint(
    apiKey: string, accountId: string, assertHeld: AssertHeld,
  ): Promise<WireWebhookEndpoint> {
    const client = this.clientFor({ apiKey });
    const url = this.webhookUrlOf(accountId);
    const listed = await client.listWebhookEndpoints();
    // The list is newest first: of several, every repeat takes the same one, the oldest.
    const ours = listed.filter((one) => one.url === url && one.enabled !== false).at(-1);
    if (ours !== undefined) return ours;
    await assertHeld();
    return client.createWebhookEndpoint(url);
  }

  async #complete(
    id: string,
    { platformId, merchantId, mode, apiKey }: AccountRegistration,
    endpoint: WireWebhookEndpoint,
  ): Promise<ProviderAccount> {
    await this.#parts.pool.query(
      `UPDATE provider_accounts
       SET api_key_sealed = $2, webhook_endpoint_id = $3, webhook_secret_sealed = $4,
           api_key_digest = $5
       WHERE id = $1`,
      [
        id, this.#seal(id, 'api_key', apiKey), endpoint.id,
        this.#seal(id, 'webhook_secret', endpoint.secret), digestOf(apiKey),
      ],
    ).catch((error: unknown) => {
      throw isTaken(error) ? keyTaken(error) : error;
    });
    const { id: webhookEndpointId, secret: webhookSecret } = endpoint;
    return { id, platformId, merchantId, mode, apiKey, webhookEndpointId, webhookSecret };
  }

  /**
   * One registration of an account at a time, over all processes: two at once would both find no
   * endpoint and make two.
   */
  async #exclusively<T>(
    accountId: string, work: (assertHeld: AssertHeld) => Promise<T>,
  ): Promise<T> {
    const held = await this.#locks.hold(`provider_accounts ${accountId}`, work);
    if (held !== null) return held.result;
    const detail = 'this merchant is being registered: repeat the request shortly';
    throw new Problem(409, 'registration_in_flight', detail, { headers: { 'retry-after': '1' } });
  }

  async #select(condition: string, values: readonly unknown[]): Promise<readonly AccountRow[]> {
    const text = `${SELECT_COMPLETE} ${condition}`;
    return (await this.#parts.pool.query<AccountRow>(text, [...values])).rows;
  }

  /** Throws when a secret does not open: it was copied here, or its key is gone. */
  #opened(row: AccountRow): ProviderAccount {
    return {
      id: row.id,
      platformId: row.platform_id,
      merchantId: row.merchant_id,
      mode: row.mode,
      apiKey: this.#open(row.id, 'api_key', row.api_key_sealed),
      webhookEndpointId: row.webhook_endpoint_id,
      webhookSecret: this.#open(row.id, 'webhook_secret', row.webhook_secret_sealed),
    };
  }

  #seal(accountId: string, field: 'api_key' | 'webhook_secret', secret: string): Buffer {
    return Buffer.from(this.#parts.secretBox.seal(secret, `${accountId}.${field}`), 'utf8');
  }

  #open(accountId: string, field: 'api_key' | 'webhook_secret', sealed: Buffer): string {
    return this.#parts.secretBox.open(sealed.toString('utf8'), `${accountId}.${field}`);
  }
}
