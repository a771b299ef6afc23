import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsISO8601, IsOptional, Matches } from 'class-validator';
import { type FastifyReply } from 'fastify';
import { Pool } from 'pg';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';
import { sendCsv, sendJsonLines } from '../shared/export.js';
import { type ListSpec, readAll, readPage } from '../shared/list-query.js';
import { limitOf, PageDto } from '../shared/page.dto.js';
import { Audit, AuditedBy, type AuditOrigin } from './audit.js';

const WORD = /^[\w.:-]{1,100}$/;
const NOT_A_WORD = { message: '$property must be 1 to 100 letters, digits, dots, colons, _ or -' };

class AuditFilter extends PageDto {
  @ApiPropertyOptional({ example: 'user:usr_…' })
  @IsOptional()
  @Matches(WORD, NOT_A_WORD)
  actor?: string;

  @ApiPropertyOptional({ example: 'user.created' })
  @IsOptional()
  @Matches(WORD, NOT_A_WORD)
  action?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @Matches(WORD, NOT_A_WORD)
  subjectId?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  @IsOptional()
  @IsISO8601({ strict: true })
  from?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  @IsOptional()
  @IsISO8601({ strict: true })
  to?: string;
}

/** One thing that somebody did. */
export class AuditItem {
  @ApiProperty()
  id!: string;

  @ApiProperty({ format: 'date-time' })
  at!: string;

  @ApiProperty({
    description: '`user:<id>`, `ops:<hash>`, or `unknown` where nobody was signed in.',
  })
  actor!: string;

  @ApiProperty({ type: String, nullable: true })
  actorName!: string | null;

  @ApiProperty({ example: 'user.created' })
  action!: string;

  @ApiProperty({ type: String, nullable: true })
  subjectType!: string | null;

  @ApiProperty({ type: String, nullable: true })
  subjectId!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Whose account it was, of a person.' })
  subjectName!: string | null;

  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;

  @ApiProperty()
  requestId!: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  detail!: Readonly<Record<string, unknown>>;
}

class AuditPage {
  @ApiProperty({ type: AuditItem, isArray: true })
  items!: readonly AuditItem[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

const AUDIT: ListSpec = {
  from: `audit a LEFT JOIN admin_users u ON 'user:' || u.id = a.actor
    LEFT JOIN admin_users s ON a.subject_type = 'user' AND s.id = a.subject_id`,
  select: `a.id::text AS id, a.at, a.actor, u.name AS "actorName", a.action,
    a.subject_type AS "subjectType", a.subject_id AS "subjectId", s.name AS "subjectName",
    a.reason, a.request_id AS "requestId", a.detail`,
  at: 'a.at',
  id: 'a.id',
  filters: {
    actor: 'a.actor = ?', action: 'a.action = ?', subjectId: 'a.subject_id = ?',
    from: 'a.at >= ?', to: 'a.at < ?',
  },
};

const COLUMNS = [
  'id', 'at', 'actor', 'actorName', 'action', 'subjectType', 'subjectId', 'subjectName',
  'reason', 'requestId', 'detail',
] as const;

@ApiTags('Audit')
@Controller('v1')
export class AuditController {
  constructor(@Inject(Pool) private readonly pool: Pool, private readonly audit: Audit) {}

  @Get('audit')
  @Allow('viewer')
  @ApiOperation({ summary: 'Who did what, newest first', operationId: 'listAudit' })
  @Answers({ status: 200, type: AuditPage, description: 'A page of the audit.' }, 422)
  list(@Query() filter: AuditFilter): Promise<AuditPage> {
    const { cursor } = filter;
    return readPage(this.pool, AUDIT, { filters: filter, cursor, limit: limitOf(filter) });
  }

  @Get('audit.csv')
  @Allow('operator')
  @ApiOperation({ summary: 'The audit as CSV', operationId: 'exportAuditCsv' })
  @Answers({ status: 200, mediaTypes: ['text/csv'], description: 'All that fits.' }, 422)
  async csv(
    @Query() filter: AuditFilter, @AuditedBy() origin: AuditOrigin, @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.exported(origin, 'csv');
    await sendCsv<AuditItem>(reply, 'audit', COLUMNS, readAll(this.pool, AUDIT, filter));
  }

  @Get('audit.ndjson')
  @Allow('operator')
  @ApiOperation({ summary: 'The audit as JSON, an entry a line', operationId: 'exportAuditJson' })
  @Answers({ status: 200, mediaTypes: ['application/x-ndjson'], description: 'All that fits.' }, 422)
  async json(
    @Query() filter: AuditFilter, @AuditedBy() origin: AuditOrigin, @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.exported(origin, 'json');
    await sendJsonLines(reply, 'audit', readAll(this.pool, AUDIT, filter));
  }

  private exported(origin: AuditOrigin, format: string): Promise<void> {
    return this.audit.record(origin, {
      action: 'audit.exported', subject: null, detail: { format },
    });
  }
}
