import { Controller, Get, Param, Query } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { CardRow } from '../database/rows.js';
import { notFound } from '../http/api-error.js';
import { pathId } from '../http/ids.js';
import { listQuery, readPage } from '../http/lists.js';
import { Live } from '../http/request-mode.js';
import { Resources } from './resources.js';

const BY_ID = {
  name: 'card:by-id',
  text: 'SELECT * FROM cards WHERE id = $1 AND live = $2 AND deleted_at IS NULL',
};
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
    const known = pathId('card', id);
    const [row] = await this.database.query<CardRow>(BY_ID, [known, live]);
    if (row === undefined) throw notFound('Card', known);
    return this.resources.card(row);
  }
}
