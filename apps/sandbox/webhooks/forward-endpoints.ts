import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SandboxClock } from '../clock/sandbox-clock.js';
import type { ForwardConfig } from '../settings/sandbox-config.js';
import { FORWARD_ACCOUNT } from '../storage/account-scope.js';
import { Database } from '../storage/database.js';
import { EndpointSecrets } from './endpoint-secrets.js';

const ENABLE = {
  name: 'forward:enable',
  text: `INSERT INTO webhook_endpoints (account_id, live, id, url, enabled, secret, created_at)
         VALUES ($1, $2, $3, $4, true, $5, $6)
         ON CONFLICT (id) DO UPDATE SET url = excluded.url, enabled = true, secret = excluded.secret`,
};
/** Deliveries that wait for a disabled endpoint are dropped when due deliveries are claimed. */
const DISABLE = {
  name: 'forward:disable',
  text: 'UPDATE webhook_endpoints SET enabled = false WHERE account_id = $1 AND enabled',
};

const ENDPOINTS = [
  { id: 'we_forwardedWebhooksInTest0', live: false },
  { id: 'we_forwardedWebhooksInLive0', live: true },
] as const;

/**
 * Whether SANDBOX_FORWARD_URL created the endpoint. Such an endpoint belongs to no merchant
 * account, so the User Area has no page for it.
 */
export const isForwardEndpoint = (id: string): boolean =>
  ENDPOINTS.some((endpoint) => endpoint.id === id);

/**
 * Forwards webhooks: an endpoint of each mode receives the events of every account, with the same
 * delays, repetitions, faults and delivery log as any other endpoint.
 */
@Injectable()
export class ForwardEndpoints implements OnApplicationBootstrap {
  constructor(
    private readonly forward: ForwardConfig | null,
    private readonly database: Database,
    private readonly secrets: EndpointSecrets,
    private readonly clock: SandboxClock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.forward === null) {
      await this.database.query(DISABLE, [FORWARD_ACCOUNT]);
      return;
    }
    const { url, secret } = this.forward;
    for (const { id, live } of ENDPOINTS) {
      const sealed = this.secrets.seal(secret, id);
      const values = [FORWARD_ACCOUNT, live, id, url, sealed, this.clock.now()];
      await this.database.query(ENABLE, values);
    }
  }
}
