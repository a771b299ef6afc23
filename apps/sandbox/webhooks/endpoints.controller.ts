import { randomBytes } from 'node:crypto';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { newId } from '#kernel';
import { invalid, notFound } from '../api/api-error.js';
import { checkedBody } from '../api/checked.js';
import { pathId } from '../api/ids.js';
import { listQuery, readPage } from '../api/lists.js';
import { InScope } from '../api/request-scope.js';
import { SandboxClock } from '../clock/sandbox-clock.js';
import { type AccountScope, scopeOf, scopeValues } from '../storage/account-scope.js';
import { Database } from '../storage/database.js';
import type { EndpointRow } from './endpoint-row.js';
import { EndpointSecrets } from './endpoint-secrets.js';

interface EndpointBody {
  readonly url: string;
  readonly enabled?: boolean | null;
}

const URL_SCHEMA = { type: 'string', minLength: 9, maxLength: 2_048 } as const;
export const endpointCreate = checkedBody<EndpointBody>({
  required: ['url'],
  properties: { url: URL_SCHEMA, enabled: { type: ['boolean', 'null'] } },
});
export const endpointPatch = checkedBody<{ readonly url?: string; readonly enabled?: boolean }>({
  properties: { url: URL_SCHEMA, enabled: { type: 'boolean' } },
});
const endpointList = listQuery();

/** An endpoint that was not deleted. */
const IN_SCOPE = 'WHERE account_id = $1 AND live = $2 AND id = $3 AND deleted_at IS NULL';
const INSERT = {
  name: 'endpoint:insert',
  text: `INSERT INTO webhook_endpoints 
           (account_id, live, id, url, enabled, secret, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};
const BY_ID = {
  name: 'endpoint:by-id',
  text: `SELECT * FROM webhook_endpoints ${IN_SCOPE}`,
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
  text: `UPDATE deliveries SET status = 'dropped', due_at = NULL
         WHERE endpoint_id = $1 AND status = 'waiting'`,
};
const LIST = {
  name: 'webhook_endpoints',
  select: 'SELECT t.* FROM webhook_endpoints t',
  where: 't.deleted_at IS NULL',
};

/** https only: a receiver has to prove who it is, and what is sent stays private. */
const checkUrl = (url: string): string => {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === '') return url;
  const msg = 'Input should be an https address without credentials';
  throw invalid({ loc: ['body', 'url'], msg, type: 'url_scheme' });
};

/** Where events are sent to. */
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
    const asked = endpointCreate.read(body);
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
    await this.database.query(
      INSERT, [...scopeValues(scope), id, url, enabled, secret, createdAt],
    );
    return this.tell(row);
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = endpointList.read({ ...(query as object) });
    const { rows, range } = await readPage<EndpointRow>(this.database, LIST, scope, asked);
    return { webhook_endpoints: rows.map((row) => this.tell(row)), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    const known = pathId('we', id);
    const [row] = await this.database.query<EndpointRow>(BY_ID, [...scopeValues(scope), known]);
    if (row === undefined) throw notFound('Webhook endpoint', known);
    return this.tell(row);
  }

  /** Disabled, it gets no event made from then on, and no further attempt of those before. */
  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('we', id);
    const { url, enabled } = endpointPatch.read(body);
    const checked = url === undefined ? null : checkUrl(url);
    return this.database.transaction(async (tx) => {
      const values = [...scopeValues(scope), known, checked, enabled ?? null];
      const [row] = await tx.query<EndpointRow>(UPDATE, values);
      if (row === undefined) throw notFound('Webhook endpoint', known);
      if (!row.enabled) tx.write(DROP_WAITING, [known]);
      return this.tell(row);
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

  private tell({ id, url, enabled, secret }: EndpointRow) {
    return { id, url, enabled, secret: this.secrets.open(secret, id) };
  }
}
