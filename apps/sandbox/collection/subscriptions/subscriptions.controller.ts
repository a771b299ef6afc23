import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { InScope } from '../../api/request-scope.js';
import { listPage } from '../../api/resource.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { SUBSCRIPTIONS } from './subscription-resource.js';
import { Subscriptions } from './subscriptions.service.js';

@Controller('v2/subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    const row = await this.subscriptions.create(scope, SUBSCRIPTIONS.create.read(body));
    return SUBSCRIPTIONS.wire(row);
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    return listPage(this.database, SUBSCRIPTIONS, scope, query);
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return SUBSCRIPTIONS.wire(await this.subscriptions.read(scope, pathId('sub', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const subscriptionId = pathId('sub', id);
    const asked = SUBSCRIPTIONS.patch.read(body);
    return SUBSCRIPTIONS.wire(await this.subscriptions.patch(scope, subscriptionId, asked));
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return SUBSCRIPTIONS.wire(await this.subscriptions.remove(scope, pathId('sub', id)));
  }
}
