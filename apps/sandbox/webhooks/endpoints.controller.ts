import { randomBytes } from 'node:crypto';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { newId } from '#kernel';
import { invalid, notFound } from '../api/api-error.js';
import { pathId, present } from '../api/ids.js';
import { InScope } from '../api/request-scope.js';
import { listPage } from '../api/resource.js';
import { SandboxClock } from '../clock/sandbox-clock.js';
import { type AccountScope, scopeOf, scopeValues } from '../storage/account-scope.js';
import { findRow } from '../storage/by-id.js';
import { Database } from '../storage/database.js';
import { type EndpointRow, ENDPOINTS } from './endpoint-resource.js';
import { EndpointSecrets } from './endpoint-secrets.js';

/** Selects an endpoint that is not deleted. */
const IN_SCOPE = 'WHERE account_id = $1 AND live = $2 AND id = $3 AND deleted_at IS NULL';
const INSERT = {
  name: 'endpoint:insert',
  text: `INSERT INTO webhook_endpoints 
           (account_id, live, id, url, enabled, secret, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};
const UPDATE = {
  name: 'endpoint:update',
  text: `UPDATE webhook_endpoints SET url = coalesce($4, url), enabled = coalesce($5, enabled)
         ${IN_SCOPE} RETURNING *`,
};
const DELETE = {
  name: 'endpoint:delete',
  text: `UPDATE webhook_endpoints SET deleted_at = $4 ${IN_SCOPE} RETURNING id`,
};
const DROP_WAITING = {
  name: 'endpoint:drop-waiting',
  text: `WITH dropped AS (
           DELETE FROM delivery_queue WHERE endpoint_id = $1 RETURNING delivery_id
         )
         UPDATE deliveries d SET status = 'dropped', due_at = NULL
         FROM dropped WHERE d.id = dropped.delivery_id AND d.status = 'waiting'`,
};
/**
 * Accepts https URLs only, so that the receiver is authenticated and the events stay confidential.
 */
const checkUrl = (url: string): string => {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === '') return url;
  const msg = 'Input should be an https URL without credentials';
  throw invalid({ loc: ['body', 'url'], msg, type: 'url_scheme' });
};

/** Manages webhook endpoints. */
@Controller('v2/webhooks')
export class EndpointsController {
  constructor(
    private readonly database: Database,
    private readonly clock: SandboxClock,
    private readonly secrets: EndpointSecrets,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    const asked = ENDPOINTS.create.read(body);
    const endpointId = newId('we');
    const row: EndpointRow = {
      id: endpointId,
      ...scopeOf(scope),
      url: checkUrl(asked.url),
      enabled: asked.enabled ?? true,
      secret: this.secrets.seal(randomBytes(32).toString('hex'), endpointId),
      created_at: this.clock.now(),
      deleted_at: null,
    };
    const { id, url, enabled, secret, created_at: createdAt } = row;
    await this.database.query(INSERT, [...scopeValues(scope), id, url, enabled, secret, createdAt]);
    return this.toResource(row);
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const wire = (row: EndpointRow) => this.toResource(row);
    return listPage(this.database, { ...ENDPOINTS, wire }, scope, query);
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    const known = pathId('we', id);
    return this.toResource(
      present('we', known, await findRow(this.database, ENDPOINTS, scope, known)),
    );
  }

  /**
   * Changes an endpoint. A disabled endpoint gets no new events and no further attempts of earlier
   * events.
   */
  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('we', id);
    const { url, enabled } = ENDPOINTS.patch.read(body);
    const checked = url === undefined ? null : checkUrl(url);
    return this.database.transaction(async (tx) => {
      const values = [...scopeValues(scope), known, checked, enabled ?? null];
      const [row] = await tx.query<EndpointRow>(UPDATE, values);
      if (row === undefined) throw notFound('Webhook endpoint', known);
      if (!row.enabled) tx.write(DROP_WAITING, [known]);
      return this.toResource(row);
    });
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@InScope() scope: AccountScope, @Param('id') id: string): Promise<void> {
    const known = pathId('we', id);
    await this.database.transaction(async (tx) => {
      const rows = await tx.query(DELETE, [...scopeValues(scope), known, this.clock.now()]);
      if (rows.length === 0) throw notFound('Webhook endpoint', known);
      tx.write(DROP_WAITING, [known]);
    });
  }

  private toResource(row: EndpointRow) {
    return ENDPOINTS.wire({ ...row, secret: this.secrets.open(row.secret, row.id) });
  }
}
