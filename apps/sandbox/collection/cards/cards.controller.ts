import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { InScope } from '../../api/request-scope.js';
import { listPage } from '../../api/resource.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { CARDS } from './card-resource.js';
import { MerchantCards } from './merchant-cards.service.js';

/** Cards from merchants' requests and from payers' input, returned without their numbers. */
@Controller('v2/cards')
export class CardsController {
  constructor(
    private readonly cards: MerchantCards,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    return CARDS.wire(await this.cards.create(scope, CARDS.create.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    return listPage(this.database, CARDS, scope, query);
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return CARDS.wire(await this.cards.read(scope, pathId('card', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('card', id);
    return CARDS.wire(await this.cards.patch(scope, known, CARDS.patch.read(body)));
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return CARDS.wire(await this.cards.remove(scope, pathId('card', id)));
  }
}
