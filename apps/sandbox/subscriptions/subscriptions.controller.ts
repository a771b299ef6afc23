import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { Database } from '../database/database.js';
import { readNoBody } from '../http/checked.js';
import { pathId } from '../http/ids.js';
import { readPage } from '../http/lists.js';
import { Live } from '../http/request-mode.js';
import { Resources } from '../resources.js';
import type { SubscriptionRow } from './subscription-row.js';
import {
  subscriptionCreate, subscriptionList, subscriptionPatch,
} from './subscription-schemas.js';
import { Subscriptions } from './subscriptions.service.js';

const LIST = {
  name: 'subscriptions',
  select: 'SELECT t.* FROM subscriptions t',
  where: 't.deleted_at IS NULL',
};

@Controller('v2/subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly resources: Resources,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@Live() live: boolean, @Body() body: unknown) {
    const row = await this.subscriptions.create(live, subscriptionCreate.read(body));
    return this.resources.subscription(row);
  }

  @Get()
  async list(@Live() live: boolean, @Query() query: unknown) {
    const asked = subscriptionList.read({ ...(query as object) });
    const { rows, range } = await readPage<SubscriptionRow>(this.database, LIST, live, asked);
    return { subscriptions: rows.map((row) => this.resources.subscription(row)), range };
  }

  @Get(':id')
  async read(@Live() live: boolean, @Param('id') id: string) {
    return this.resources.subscription(await this.subscriptions.read(live, pathId('sub', id)));
  }

  @Patch(':id')
  async patch(@Live() live: boolean, @Param('id') id: string, @Body() body: unknown) {
    const subscriptionId = pathId('sub', id);
    const asked = subscriptionPatch.read(body);
    return this.resources.subscription(await this.subscriptions.patch(live, subscriptionId, asked));
  }

  @Delete(':id')
  async remove(@Live() live: boolean, @Param('id') id: string, @Body() body: unknown) {
    readNoBody(body);
    return this.resources.subscription(await this.subscriptions.remove(live, pathId('sub', id)));
  }
}
