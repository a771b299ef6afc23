import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';
import { type ListSpec, readPage } from '../shared/list-query.js';
import { limitOf, PageDto } from '../shared/page.dto.js';

/** A message without its effect: a person let a consumer go past it. */
class SkippedItem {
  @ApiProperty()
  id!: string;

  @ApiProperty({ format: 'date-time' })
  skippedAt!: string;

  @ApiProperty()
  consumer!: string;

  @ApiProperty()
  streamType!: string;

  @ApiProperty()
  streamId!: string;

  @ApiProperty({ type: 'integer', description: 'Of the event that was passed over.' })
  version!: number;

  @ApiProperty()
  eventType!: string;

  @ApiProperty({ description: 'Why it could not be taken.' })
  error!: string;

  @ApiProperty({ description: 'Why it was passed over.' })
  reason!: string;

  @ApiProperty({ description: '`user:<id>` or `ops:<hash>`.' })
  actor!: string;
}

class SkippedPage {
  @ApiProperty({ type: SkippedItem, isArray: true })
  items!: readonly SkippedItem[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

const SKIPPED: ListSpec = {
  from: 'skipped_messages',
  select: `id::text AS id, skipped_at AS "skippedAt", consumer, stream_type AS "streamType",
    stream_id AS "streamId", version, event_type AS "eventType", error, reason, actor`,
  at: 'skipped_at',
  id: 'skipped_messages.id',
  filters: {},
};

@ApiTags('Queues')
@Controller('v1/skipped-messages')
export class SkippedMessagesController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({
    summary: 'Messages that were passed over, with why and by whom, newest first',
    operationId: 'listSkippedMessages',
  })
  @Answers({ status: 200, type: SkippedPage, description: 'A page of messages.' }, 422)
  list(@Query() page: PageDto): Promise<SkippedPage> {
    return readPage(this.pool, SKIPPED, {
      filters: {}, cursor: page.cursor, limit: limitOf(page),
    });
  }
}
