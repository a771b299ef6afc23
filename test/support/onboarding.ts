import { type ApiFixture, startApiFixture } from '../../apps/api/api.fixture.js';
import { assert, instantFromMs, randomText } from '#kernel';
import {
  type CompanyStatus,
  isRegistered,
  type Merchant,
  merchantAggregate,
  type MerchantCommand,
  MerchantDetails,
  observationOfCompany,
  observeCompanyStatus,
} from '#onboarding';
import { createSecretBox } from '#platform';
import type { Onboarding } from '#psp';
import { HostedAdapter, hostedDetailsOf, onboardingTransports } from '#psp-hosted';
import { createDatabase, freePort, type TestDatabase } from '#testing';
import type { RunningApp } from '../../tools/infra/apps.mjs';
import { STATUS_AT_PROVIDER } from '../../apps/worker/merchants/partner-model.fixture.js';
import { Sandbox } from '../../tools/stack/sandbox.js';
import { sellerDetails } from '../../tools/stack/seller.js';
import { startHere } from './start-here.js';

type Json = Readonly<Record<string, unknown>>;

export const PARTNER_KEY = 'spart_test_onboardingspecs000001';

export const EXECUTABLE = Buffer.from('7f454c4602010100000000000000000002003e00', 'hex');

interface Changes extends Json {
  readonly company?: Json;
  readonly contact?: Json;
}

/** Merchant details with only the required fields. */
export const leastDetails = ({ company = {}, contact = {}, ...more }: Changes = {}): Json => ({
  company: {
    country: 'FR',
    legalForm: 'fr_sas',
    registrationNumber: '732829320',
    legalName: 'Atelier Lumière',
    ...company,
  },
  contact: {
    firstName: 'Camille',
    lastName: 'Martin',
    email: `user-${randomText(12)}@example.test`,
    ...contact,
  },
  ...more,
});

export const onboardBody = (details: Json = leastDetails(), more: Json = {}): Json => ({
  reference: `ref-${randomText(12)}`,
  mode: 'test',
  details,
  ...more,
});

/**
 * An api with the sandbox as its provider, without a worker. The methods of this class do a
 * worker's tasks.
 */
export class OnboardingFixture {
  readonly client: Onboarding;

  private constructor(
    readonly api: ApiFixture,
    readonly sandbox: Sandbox,
    private readonly provider: RunningApp,
    private readonly transports: ReturnType<typeof onboardingTransports>,
    private readonly database: TestDatabase,
  ) {
    this.client = new HostedAdapter(transports.partners, transports).onboarding(PARTNER_KEY);
  }

  static async start(): Promise<OnboardingFixture> {
    const database = await createDatabase('sandbox');
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const provider = await startHere({
      app: 'sandbox',
      port,
      env: {
        SANDBOX_DATABASE_URL: database.urlFor('sandbox'),
        SANDBOX_PORT: String(port),
        SANDBOX_PUBLIC_URL: url,
        SANDBOX_PARTNERS: `specs:${PARTNER_KEY}:spart_live_onboardingspecs000001`,
        TLS_CERT_FILE: '',
        LOG_LEVEL: 'warn',
      },
    });
    const partnersUrl = `${url}/api/partners`;
    const api = await startApiFixture({
      partnersUrl,
      manageUrl: url,
      partnerKeys: { test: PARTNER_KEY, live: null },
    });
    const transports = onboardingTransports(partnersUrl, url);
    return new OnboardingFixture(api, new Sandbox(url, ''), provider, transports, database);
  }

  async stop(): Promise<void> {
    await this.api.stop();
    await Promise.all([this.transports.partners.close(), this.transports.manage.close()]);
    await this.provider.stop();
    await this.database.drop();
  }

  /** Drafts a merchant and registers its company; returns their ids. */
  async registered(
    key: string,
    details: Json = sellerDetails(),
  ): Promise<{ readonly id: string; readonly companyId: string }> {
    const { status, body } = await this.api.post('/v1/merchants', key, onboardBody(details));
    assert(status === 201, `a merchant is drafted: ${JSON.stringify(body)}`);
    const id = String(body['id']);
    return { id, companyId: await this.register(id) };
  }

  /**
   * Does what a worker does: requests the registration, calls the provider, and records the result.
   */
  async register(id: string): Promise<string> {
    const { api } = this;
    const merchant = await this.execute(id, { type: 'RequestRegistration', at: this.now() });
    assert(merchant.status === 'requested', 'the registration is requested');
    const details = new MerchantDetails(
      api.pool,
      createSecretBox(api.config.secretsKey),
      hostedDetailsOf,
    );
    const known = merchant.detailsRef === null ? null : await details.read(merchant.detailsRef);
    assert(known !== null, 'the details are stored');
    const { companyId } = await this.client.createCompany(known, id);
    await this.observe(id, companyId);
    return companyId;
  }

  /** Reads a company from the provider and records the observation. */
  async observe(id: string, companyId: string): Promise<void> {
    const answer = await this.client.getCompany(companyId);
    await this.api.store.step(this.metadata(id), (step) =>
      observeCompanyStatus(step, id, observationOfCompany(answer, 'read', this.now()), this.now()),
    );
  }

  /**
   * Sets the company's status at the provider, reads the company, and records the status for the
   * merchant.
   */
  async moveTo(id: string, companyId: string, status: CompanyStatus): Promise<void> {
    const url = `${this.sandbox.url}/api/partners/company-status?company=${companyId}`;
    const answer = await fetch(url, {
      method: 'PATCH',
      headers: {
        authorization: `Basic ${Buffer.from(`${PARTNER_KEY}:`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ status: STATUS_AT_PROVIDER[status] }),
    });
    assert(answer.ok, `the company is ${status}`);
    await this.observe(id, companyId);
  }

  execute(id: string, command: MerchantCommand): Promise<Merchant> {
    return this.api.store.execute(merchantAggregate, id, command, this.metadata(id));
  }

  private async known(id: string): Promise<Exclude<Merchant, { status: 'none' }>> {
    const merchant = await this.state(id);
    assert(merchant.status !== 'none', 'the merchant was drafted');
    return merchant;
  }

  async state(id: string): Promise<Merchant> {
    return (await this.api.store.load(merchantAggregate, id)).state;
  }

  /** Makes a merchant available for orders, as after a worker has fetched the keys. */
  async open(id: string, companyId: string, accountId: string): Promise<void> {
    await this.moveTo(id, companyId, 'available');
    const at = this.now();
    await this.api.pool.query(
      `WITH made AS (
         INSERT INTO provider_accounts (id, platform_id, merchant_id, mode, api_key_sealed)
         SELECT $1, $2, $3, 'test', '' RETURNING *)
       INSERT INTO account_schedule (platform_id, merchant_id, mode, orders_from, account_id,
                                     taking_orders)
       SELECT platform_id, merchant_id, mode, $4, id, true FROM made`,
      [accountId, (await this.known(id)).terms.platformId, id, at],
    );
    await this.execute(id, { type: 'AttachAccount', accountId, mode: 'test', readAt: at, at });
    const merchant = await this.state(id);
    assert(isRegistered(merchant) && merchant.ordersEnabled, 'the merchant accepts orders');
  }

  now() {
    return instantFromMs(Date.now());
  }

  private metadata(id: string) {
    return { correlationId: id, causationId: 'spec', actor: 'saga:onboarding', traceparent: null };
  }
}

export const upload = async (
  { api }: OnboardingFixture,
  key: string,
  path: string,
  {
    method = 'POST',
    files,
    meta,
    idempotencyKey = randomText(16),
  }: {
    readonly method?: 'POST' | 'PUT';
    readonly files: readonly (readonly [name: string, bytes: Buffer])[];
    readonly meta?: unknown;
    readonly idempotencyKey?: string;
  },
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: Json }> => {
  const form = new FormData();
  for (const [name, bytes] of files) {
    form.append('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), name);
  }
  if (meta !== undefined) form.append('meta', JSON.stringify(meta));
  const answer = await fetch(`${api.http.url}${path}`, {
    method,
    body: form,
    headers: { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey },
  });
  const body = (await answer.json()) as Json;
  return { status: answer.status, headers: answer.headers, body };
};
