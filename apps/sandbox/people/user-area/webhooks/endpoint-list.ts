import { Injectable } from '@nestjs/common';
import { noSuch } from '../../../api/ids.js';
import { type AccountScope, scopeValues } from '../../../storage/account-scope.js';
import { Database } from '../../../storage/database.js';
import type { EndpointRow } from '../../../webhooks/endpoint-resource.js';

/** An endpoint without its secret. */
export type Endpoint = Omit<EndpointRow, 'secret'>;

const ALL = {
  name: 'area:endpoints',
  text: `SELECT id, account_id, live, url, enabled, created_at, deleted_at FROM webhook_endpoints
         WHERE account_id = $1 AND live = $2 AND deleted_at IS NULL
         ORDER BY created_at DESC, seq DESC LIMIT 100`,
};
const ONE = {
  name: 'area:endpoint',
  text: `SELECT id, account_id, live, url, enabled, created_at, deleted_at FROM webhook_endpoints
         WHERE account_id = $1 AND live = $2 AND id = $3`,
};

/** The webhook endpoints of one account and mode. */
@Injectable()
export class EndpointList {
  constructor(private readonly database: Database) {}

  /** The newest 100. */
  async all(scope: AccountScope): Promise<readonly Endpoint[]> {
    return this.database.query<Endpoint>(ALL, scopeValues(scope));
  }

  /**
   * Returns an endpoint, even a deleted one, because its deliveries remain visible. Throws
   * `ApiError` 404.
   */
  async read(scope: AccountScope, id: string): Promise<Endpoint> {
    const [row] = await this.database.query<Endpoint>(ONE, [...scopeValues(scope), id]);
    if (row === undefined) throw noSuch('we', id);
    return row;
  }
}
