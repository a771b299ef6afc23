import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { pathId } from '../../api/ids.js';
import { readPage } from '../../api/lists.js';
import { InScope } from '../../api/request-scope.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { cardResource } from './card-resource.js';
import type { CardRow } from './card-row.js';
import { cardCreate, cardList, cardPatch } from './card-schemas.js';
import { MerchantCards } from './merchant-cards.service.js';

const LIST = { name: 'cards', select: 'SELECT t.* FROM cards t', where: 't.deleted_at IS NULL' };

/** Cards, without their numbers: those that merchants send, and those that payers type. */
@Controller('v2/cards')
export class CardsController {
  constructor(
    private readonly cards: MerchantCards,
    private readonly database: Database,
  ) {}

  @Post()
  @HttpCode(200)
  async create(@InScope() scope: AccountScope, @Body() body: unknown) {
    return cardResource(await this.cards.create(scope, cardCreate.read(body)));
  }

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    const asked = cardList.read({ ...(query as object) });
    const { rows, range } = await readPage<CardRow>(this.database, LIST, scope, asked, {
      customer_id: asked.customer,
    });
    return { cards: rows.map(cardResource), range };
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return cardResource(await this.cards.read(scope, pathId('card', id)));
  }

  @Patch(':id')
  async patch(@InScope() scope: AccountScope, @Param('id') id: string, @Body() body: unknown) {
    const known = pathId('card', id);
    return cardResource(await this.cards.patch(scope, known, cardPatch.read(body)));
  }

  @Delete(':id')
  async remove(@InScope() scope: AccountScope, @Param('id') id: string) {
    return cardResource(await this.cards.remove(scope, pathId('card', id)));
  }
}
