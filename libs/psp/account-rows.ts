import { createHash } from 'node:crypto';
import { DatabaseError, type Pool } from 'pg';
import { instantFromMs, newId } from '#kernel';
import { firstRow, Problem, type SecretBox } from '#platform';
import type { WebhookEndpoint } from './port.js';
import type {
  AccountMode,
  AccountRegistration,
  ProviderAccount,
  ScheduleLine,
} from './provider-account.js';

interface AccountRow {
  readonly id: string;
  readonly provider: string;
  readonly platform_id: string;
  readonly merchant_id: string;
  readonly mode: AccountMode;
  readonly api_key_sealed: Buffer;
  readonly webhook_endpoint_id: string;
  readonly webhook_secret_sealed: Buffer;
}

interface ScheduleRow extends Omit<ScheduleLine, 'ordersFrom'> {
  readonly ordersFrom: Date;
}

/** An account of a merchant; its registration may not be finished yet. */
export interface KnownAccount {
  readonly id: string;
  readonly provider: string;
  readonly apiKey: string;
  /** The webhook endpoint of the account; null until it is created. */
  readonly endpoint: { readonly id: string; readonly secret: string } | null;
}

const COLUMNS = `a.id, a.provider, a.platform_id, a.merchant_id, a.mode, a.api_key_sealed,
  a.webhook_endpoint_id, a.webhook_secret_sealed`;

const COMPLETE = 'a.webhook_endpoint_id IS NOT NULL AND a.webhook_secret_sealed IS NOT NULL';

const TAKEN = `
  SELECT FROM provider_accounts
   WHERE api_key_digest = $1 AND (platform_id, merchant_id, mode) <> ($2, $3, $4)`;

/** Selects other merchants' accounts whose webhook endpoint the provider lists for the new key. */
const OTHERS_ENDPOINTS = `
  SELECT id, webhook_endpoint_id, webhook_secret_sealed FROM provider_accounts
   WHERE webhook_endpoint_id = ANY ($1) AND webhook_secret_sealed IS NOT NULL
     AND (platform_id, merchant_id) <> ($2, $3) AND mode = $4`;

/** The hash of a key. A key is long and random, so it cannot be computed from its hash. */
const digestOf = (apiKey: string): Buffer => createHash('sha256').update(apiKey).digest();

/**
 * The error if a key belongs to another account. The error does not reveal whose account that is.
 */
const keyTaken = (cause?: unknown): Problem =>
  new Problem(
    409,
    'provider_key_taken',
    'this API key belongs to another account: use the key of this merchant’s own account',
    {
      errors: [{ detail: 'belongs to another account', pointer: '#/apiKey' }],
      cause,
    },
  );

const isTaken = (error: unknown): boolean =>
  error instanceof DatabaseError && error.constraint === 'provider_accounts_of_key';

/**
 * The table `provider_accounts`. Its secrets are encrypted for one row and one field, so that a
 * value that was copied elsewhere cannot be decrypted. Reads throw if a secret cannot be decrypted,
 * because it was copied or because its encryption key is missing.
 */
export class AccountRows {
  readonly #pool: Pool;
  readonly #secretBox: SecretBox;

  constructor(pool: Pool, secretBox: SecretBox) {
    this.#pool = pool;
    this.#secretBox = secretBox;
  }

  /**
   * The rows of accounts whose registration is finished, with encrypted secrets; `opened` decrypts
   * one row.
   */
  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, AccountRow>> {
    const { rows } = await this.#pool.query<AccountRow>(
      `SELECT ${COLUMNS} FROM provider_accounts a WHERE ${COMPLETE} AND a.id = ANY($1)`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  opened(row: AccountRow): ProviderAccount {
    return {
      id: row.id,
      provider: row.provider,
      platformId: row.platform_id,
      merchantId: row.merchant_id,
      mode: row.mode,
      apiKey: this.#open(row.id, 'api_key', row.api_key_sealed),
      webhookEndpointId: row.webhook_endpoint_id,
      webhookSecret: this.#open(row.id, 'webhook_secret', row.webhook_secret_sealed),
    };
  }

  /** The name of the account's provider; null if no account has this id. */
  async providerOf(id: string): Promise<string | null> {
    const row = await firstRow<Pick<AccountRow, 'provider'>>(
      this.#pool,
      'SELECT provider FROM provider_accounts WHERE id = $1',
      [id],
    );
    return row?.provider ?? null;
  }

  /**
   * The accounts that orders of a merchant use, each with the time from which new orders use the
   * account, in the order of these times.
   */
  async scheduleOf(platformId: string, merchantId: string): Promise<readonly ScheduleLine[]> {
    const { rows } = await this.#pool.query<ScheduleRow>(
      `SELECT mode, account_id AS "accountId", orders_from AS "ordersFrom",
              taking_orders AS "takingOrders"
         FROM account_schedule WHERE platform_id = $1 AND merchant_id = $2
        ORDER BY orders_from, id`,
      [platformId, merchantId],
    );
    return rows.map(({ ordersFrom, ...line }) => ({
      ...line,
      ordersFrom: instantFromMs(ordersFrom.getTime()),
    }));
  }

  /** All accounts of a merchant in one mode, newest first. */
  async ofMerchant({
    platformId,
    merchantId,
    mode,
  }: AccountRegistration): Promise<readonly KnownAccount[]> {
    const { rows } = await this.#pool.query<AccountRow & { readonly is_complete: boolean }>(
      `SELECT ${COLUMNS}, ${COMPLETE} AS is_complete FROM provider_accounts a
        WHERE a.platform_id = $1 AND a.merchant_id = $2 AND a.mode = $3
        ORDER BY a.created_at DESC, a.id`,
      [platformId, merchantId, mode],
    );
    return rows.map((row) => {
      const { id, provider, is_complete: isComplete, webhook_endpoint_id: endpointId } = row;
      return {
        id,
        provider,
        apiKey: this.#open(id, 'api_key', row.api_key_sealed),
        endpoint: isComplete
          ? { id: endpointId, secret: this.#open(id, 'webhook_secret', row.webhook_secret_sealed) }
          : null,
      };
    });
  }

  /** Throws `Problem('provider_key_taken')` if another merchant's account has the key. */
  async refuseTaken({ platformId, merchantId, mode, apiKey }: AccountRegistration): Promise<void> {
    const values = [digestOf(apiKey), platformId, merchantId, mode];
    const { rowCount } = await this.#pool.query(TAKEN, values);
    if (rowCount !== 0) throw keyTaken();
  }

  /**
   * Throws `Problem('provider_key_taken')` if this key can read the webhook endpoint of another
   * merchant's account, with the endpoint's secret. The key then belongs to that account, as a
   * second key or as the key before a rotation.
   */
  async refuseOpened(
    { platformId, merchantId, mode }: AccountRegistration,
    shown: readonly WebhookEndpoint[],
  ): Promise<void> {
    const secrets = new Map(shown.map(({ id, secret }) => [id, secret]));
    const { rows } = await this.#pool.query<
      Pick<AccountRow, 'id' | 'webhook_endpoint_id' | 'webhook_secret_sealed'>
    >(OTHERS_ENDPOINTS, [[...secrets.keys()], platformId, merchantId, mode]);
    const isShown = rows.some(
      ({ id, webhook_endpoint_id: endpointId, webhook_secret_sealed: sealed }) =>
        this.#open(id, 'webhook_secret', sealed) === secrets.get(endpointId),
    );
    if (isShown) throw keyTaken();
  }

  /** Inserts an account without a webhook endpoint. Returns the account's id. */
  async begin(
    provider: string,
    { platformId, merchantId, mode, apiKey }: AccountRegistration,
  ): Promise<string> {
    const id = newId('acc');
    await this.#pool.query(
      `INSERT INTO provider_accounts
         (id, provider, platform_id, merchant_id, mode, api_key_sealed, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp())`,
      [id, provider, platformId, merchantId, mode, this.#seal(id, 'api_key', apiKey)],
    );
    return id;
  }

  /** Throws `Problem('provider_key_taken')`. */
  async complete(
    { id, provider }: Pick<ProviderAccount, 'id' | 'provider'>,
    { platformId, merchantId, mode, apiKey }: AccountRegistration,
    endpoint: WebhookEndpoint,
  ): Promise<ProviderAccount> {
    await this.#pool
      .query(
        `UPDATE provider_accounts
       SET api_key_sealed = $2, webhook_endpoint_id = $3, webhook_secret_sealed = $4,
           api_key_digest = $5
       WHERE id = $1`,
        [
          id,
          this.#seal(id, 'api_key', apiKey),
          endpoint.id,
          this.#seal(id, 'webhook_secret', endpoint.secret),
          digestOf(apiKey),
        ],
      )
      .catch((error: unknown) => {
        throw isTaken(error) ? keyTaken(error) : error;
      });
    const { id: webhookEndpointId, secret: webhookSecret } = endpoint;
    return { id, provider, platformId, merchantId, mode, apiKey, webhookEndpointId, webhookSecret };
  }

  #seal(accountId: string, field: 'api_key' | 'webhook_secret', secret: string): Buffer {
    return Buffer.from(this.#secretBox.seal(secret, `${accountId}.${field}`), 'utf8');
  }

  #open(accountId: string, field: 'api_key' | 'webhook_secret', sealed: Buffer): string {
    return this.#secretBox.open(sealed.toString('utf8'), `${accountId}.${field}`);
  }
}
