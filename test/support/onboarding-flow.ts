import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { EventStore } from '#log';
import { openStore } from '#orchestrator';
import { assert, newId, parseInstant, randomText } from '#kernel';
import {
  COMPANY_STATUSES,
  type CompanyStatus,
  isRegistered,
  type Merchant,
  merchantAggregate,
  MerchantDetails,
  type RegisteredMerchant,
} from '#onboarding';
import { createSecretBox } from '#platform';
import { hostedDetailsOf } from '#psp-hosted';
import { waitFor } from '#testing';
import { STATUS_AT_PROVIDER } from '../../apps/worker/merchants/partner-model.fixture.js';
import { resolveAbsent } from '../../apps/worker/merchants/resolve-absent.js';
import { companyBody } from '../../tools/stack/provider-key.js';
import type { Servers, StackOptions } from '../../tools/stack/stack.js';
import { Flow } from './flow.js';
import { runnersServers } from './servers.js';

const SOON = { timeoutMs: 30_000, everyMs: 50 };

const ourStatus = (word: string): CompanyStatus => {
  const found = COMPANY_STATUSES.find((status) => STATUS_AT_PROVIDER[status] === word);
  assert(found, `${word} is a status`);
  return found;
};

export interface HistoryRow {
  readonly 'date-update': string;
  readonly id: string;
  readonly status: CompanyStatus;
}

/** The whole product, and direct access to its event log and to the provider's onboarding API. */
export class OnboardingFlow {
  private constructor(
    readonly flow: Flow,
    private readonly pool: pg.Pool,
    private readonly details: MerchantDetails,
    private readonly partnerKey: string,
  ) {}

  static async start(
    options: Partial<StackOptions> = {},
    servers: Servers = runnersServers(),
  ): Promise<OnboardingFlow> {
    const secretsKey = `onboarding:${randomBytes(32).toString('base64')}`;
    const partnerKey = `spart_test_${randomText(24)}`;
    const env = { SECRETS_KEY: secretsKey, PARTNER_TEST_KEY: partnerKey };
    const flow = await Flow.start({ ...options, env }, servers);
    const pool = new pg.Pool({ connectionString: flow.stack.databases.orchestrator, max: 4 });
    pool.on('error', () => undefined);
    const details = new MerchantDetails(pool, createSecretBox(secretsKey), hostedDetailsOf);
    return new OnboardingFlow(flow, pool, details, partnerKey);
  }

  async stop(): Promise<void> {
    await this.pool.end();
    await this.flow.stop();
  }

  /** An event store whose sagas use the sandbox's current time, as in the apps. */
  private async store(): Promise<EventStore> {
    const now = parseInstant(await this.flow.stack.sandbox.now());
    return openStore(this.pool, { now: () => now });
  }

  /**
   * Drafts a merchant and requests the registration, which the worker then sends; returns the
   * merchant's id.
   */
  async draft(): Promise<string> {
    const id = newId('mer');
    const at = parseInstant(await this.flow.stack.sandbox.now());
    await (
      await this.store()
    ).execute(
      merchantAggregate,
      id,
      {
        type: 'DraftMerchant',
        platformId: 'flow',
        reference: id,
        mode: 'test',
        firstTerminal: null,
        detailsRef: await this.details.keep(id, companyBody()),
        at,
      },
      { correlationId: id, causationId: 'spec', actor: 'user:spec', traceparent: null },
    );
    return id;
  }

  async merchant(id: string): Promise<Merchant> {
    return (await (await this.store()).load(merchantAggregate, id)).state;
  }

  /** The types of the merchant's events, in order. */
  async types(id: string): Promise<string[]> {
    const stream = { streamType: 'merchant', streamId: id } as const;
    return (await (await this.store()).readStream(stream, 0, 1_000)).map(({ type }) => type);
  }

  async registered(id: string): Promise<RegisteredMerchant> {
    return waitFor(async () => {
      const merchant = await this.merchant(id);
      if (isRegistered(merchant)) return merchant;
      throw new Error(`the merchant is ${merchant.status}`);
    }, SOON);
  }

  async merchantIs(id: string, isSo: (merchant: Merchant) => boolean): Promise<Merchant> {
    return waitFor(async () => {
      const merchant = await this.merchant(id);
      if (isSo(merchant)) return merchant;
      throw new Error(`the merchant is ${JSON.stringify(merchant)}`);
    }, SOON);
  }

  /**
   * Records an operator's decision that the creation request with an unknown result created no
   * company.
   */
  async resolveAbsent(merchantId: string): Promise<void> {
    const at = parseInstant(await this.flow.stack.sandbox.now());
    await waitFor(async () => {
      await resolveAbsent(
        { pool: this.pool, store: await this.store() },
        {
          merchantId,
          call: 'create_company',
          reason: 'none there',
          actor: 'user:spec',
        },
        at,
      );
      return true;
    }, SOON);
  }

  async setStatus(companyId: string, status: CompanyStatus): Promise<void> {
    await this.partner('PATCH', `/company-status?company=${companyId}`, {
      status: STATUS_AT_PROVIDER[status],
    });
  }

  async history(since: string, until: string): Promise<readonly HistoryRow[]> {
    const path = `/company-status-history?since=${since}&until=${until}`;
    const rows = (await this.partner('GET', path)) as readonly (HistoryRow & { status: string })[];
    return rows.map((row) => ({ ...row, status: ourStatus(row.status) }));
  }

  /**
   * Today's date in Europe/Paris by the sandbox's clock, plus `plusDays` days (negative: earlier).
   */
  async day(plusDays = 0): Promise<string> {
    const now = new Date(await this.flow.stack.sandbox.now());
    const today = now.toLocaleDateString('en-CA', { timeZone: 'Europe/Paris' });
    return new Date(Date.parse(today) + plusDays * 86_400_000).toISOString().slice(0, 10);
  }

  private async partner(method: 'GET' | 'PATCH', path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${this.flow.stack.sandbox.url}/api/partners${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${this.partnerKey}:`).toString('base64')}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
}
