import { Controller, Get, Param, Query } from '@nestjs/common';
import { findRow } from '../database/by-id.js';
import { Database } from '../database/database.js';
import { pathId, present } from '../http/ids.js';
import { listQuery, readPage } from '../http/lists.js';
import { Live } from '../http/request-mode.js';
import { Resources } from '../resources.js';
import { CARDS, type CardRow } from './card-row.js';

const LIST = { name: 'cards', select: 'SELECT t.* FROM cards t', where: 't.deleted_at IS NULL' };
const cardList = listQuery();

/** Cards that payers typed on the page, without their numbers. */
@Controller('v2/cards')
export class CardsController {
  constructor(
    private readonly database: Database,
    private readonly resources: Resources,
  ) {}

  @Get()
  async list(@Live() live: boolean, @Query() query: unknown) {
    const asked = cardList.read({ ...(query as object) });
    const { rows, range } = await readPage<CardRow>(this.database, LIST, live, asked);
    return { cards: rows.map((row) => this.resources.card(row)), range };
  }

  @Get(':id')
  async read(@Live() live: boolean, @Param('id') id: string) {
    const cardId = pathId('card', id);
    const row = await findRow(this.database, CARDS, live, cardId);
    return this.resources.card(present('card', cardId, row));
  }
}
