import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { readPage } from '../../api/lists.js';
import { InScope } from '../../api/request-scope.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { subscriptionResource } from './subscription-resource.js';
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
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    const row = await this.subscriptions.create(scope, subscriptionCreate.read(body));
    return subscriptionResource(row);
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = subscriptionList.read({ ...(query as object) });
    const { rows, range } = await readPage<SubscriptionRow>(this.database, LIST, scope, asked);
    return { subscriptions: rows.map(subscriptionResource), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return subscriptionResource(await this.subscriptions.read(scope, pathId('sub', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const subscriptionId = pathId('sub', id);
    const asked = subscriptionPatch.read(body);
    return subscriptionResource(await this.subscriptions.patch(scope, subscriptionId, asked));
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return subscriptionResource(await this.subscriptions.remove(scope, pathId('sub', id)));
  }
}
