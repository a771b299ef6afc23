import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';
import { type ListSpec, readPage } from '../shared/list-query.js';
import { limitOf, PageDto } from '../shared/page.dto.js';

/** A reaction that was not made, as two people decided. */
class DiscardedItem {
  @ApiProperty()
  id!: string;

  @ApiProperty({ format: 'date-time' })
  discardedAt!: string;

  @ApiProperty({ description: 'The workflow.', example: 'checkout' })
  saga!: string;

  @ApiProperty({ description: 'The order or merchant that it is about.' })
  key!: string;

  @ApiProperty({ type: String, nullable: true })
  streamType!: string | null;

  @ApiProperty({ type: String, nullable: true })
  streamId!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Of the event.' })
  version!: number | null;

  @ApiProperty({ description: 'The type of the event, or the kind of the deadline.' })
  stimulus!: string;

  @ApiProperty({ description: 'Why the reaction failed.' })
  error!: string;

  @ApiProperty({ description: 'Why it was discarded.' })
  reason!: string;

  @ApiProperty({ description: '`user:<id>` or `ops:<hash>`.' })
  actor!: string;
}

class DiscardedPage {
  @ApiProperty({ type: DiscardedItem, isArray: true })
  items!: readonly DiscardedItem[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

const DISCARDED: ListSpec = {
  from: 'discarded_reactions',
  select: `id::text AS id, discarded_at AS "discardedAt", saga, key, stream_type AS "streamType",
    stream_id AS "streamId", version, stimulus, error, reason, actor`,
  at: 'discarded_at',
  id: 'discarded_reactions.id',
  filters: {},
};

@ApiTags('Queues')
@Controller('v1/discarded-reactions')
export class DiscardedReactionsController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({
    summary: 'Reactions that were discarded, with why and by whom, newest first',
    operationId: 'listDiscardedReactions',
  })
  @Answers({ status: 200, type: DiscardedPage, description: 'A page of reactions.' }, 422)
  list(@Query() page: PageDto): Promise<DiscardedPage> {
    return readPage(this.pool, DISCARDED, {
      filters: {}, cursor: page.cursor, limit: limitOf(page),
    });
  }
}
