import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { noSuch } from '../../http/ids.js';
import type { EndpointRow } from '../../webhooks/endpoint-row.js';

/** An endpoint without its secret. */
export type Endpoint = Omit<EndpointRow, 'secret'>;

const ALL = {
  name: 'area:endpoints',
  text: `SELECT id, live, url, enabled, created_at, deleted_at FROM webhook_endpoints
         WHERE live = $1 AND deleted_at IS NULL ORDER BY created_at DESC, seq DESC LIMIT 100`,
};
const ONE = {
  name: 'area:endpoint',
  text: `SELECT id, live, url, enabled, created_at, deleted_at FROM webhook_endpoints
         WHERE live = $1 AND id = $2`,
};

/** The webhook endpoints of a mode. */
@Injectable()
export class EndpointList {
  constructor(private readonly database: Database) {}

  /** The newest 100. */
  async all(live: boolean): Promise<readonly Endpoint[]> {
    return this.database.query<Endpoint>(ALL, [live]);
  }

  /** Also one that was deleted: its deliveries are still told. Throws `ApiError` 404. */
  async read(live: boolean, id: string): Promise<Endpoint> {
    const [row] = await this.database.query<Endpoint>(ONE, [live, id]);
    if (row === undefined) throw noSuch('we', id);
    return row;
  }
}
