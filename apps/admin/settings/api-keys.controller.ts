import { Body, Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsISO8601,
  IsOptional,
  Matches,
} from 'class-validator';
import { Pool } from 'pg';
import { type ApiKeyRow, type Scope, SCOPES } from '#platform';
import { Allow, CurrentUser, TakesCsrfToken } from '../access/allow.js';
import type { SignedIn } from '../access/sessions.js';
import { ActionAnswer, WAITS } from '../actions/action-answers.js';
import { AuditedBy, type AuditOrigin } from '../shared/audit.js';
import { Answers } from '../shared/docs.js';
import { ReasonDto } from '../shared/reason.dto.js';
import { ApiKeys } from './api-keys.js';

class CreateApiKeyDto extends ReasonDto {
  @ApiProperty({ example: 'shop', description: '1 to 64 letters, digits, _ or -.' })
  @Matches(/^[A-Za-z0-9_-]{1,64}$/, {
    message: '$property must be 1 to 64 letters, digits, _ or -',
  })
  platformId!: string;

  @ApiProperty({ enum: SCOPES, enumName: 'Scope', isArray: true })
  @IsIn(SCOPES, { each: true })
  @ArrayUnique()
  @ArrayNotEmpty()
  @IsArray()
  scopes!: readonly Scope[];

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Default: it lasts until it is revoked.',
  })
  @IsOptional()
  @IsISO8601({ strict: true })
  expiresAt?: string;
}

class ApiKeyItem {
  @ApiProperty({ example: 'po_3xKq0Zb7Yw2m', description: 'The part that is no secret.' })
  prefix!: string;

  @ApiProperty()
  platformId!: string;

  @ApiProperty({ type: String, isArray: true })
  scopes!: readonly string[];

  @ApiProperty({ format: 'date-time' })
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expiresAt!: Date | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revokedAt!: Date | null;
}

class ApiKeyList {
  @ApiProperty({ type: ApiKeyItem, isArray: true })
  items!: readonly ApiKeyItem[];
}

class NewApiKeyAnswer {
  @ApiProperty({
    type: ApiKeyItem,
    nullable: true,
    description: 'Null where it waits for approval.',
  })
  item!: ApiKeyItem | null;

  @ApiProperty({ type: ActionAnswer, nullable: true, description: WAITS })
  action!: ActionAnswer | null;

  @ApiProperty({ description: 'The key in full, shown once.' })
  key!: string;
}

const itemOf = (row: ApiKeyRow): ApiKeyItem => {
  const { prefix, platformId, scopes, createdAt, expiresAt, revokedAt } = row;
  return { prefix, platformId, scopes, createdAt, expiresAt, revokedAt };
};

@ApiTags('Settings')
@Controller('v1/api-keys')
export class ApiKeysController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly keys: ApiKeys,
  ) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({
    summary: 'API keys of the platforms, without their secrets',
    operationId: 'listApiKeys',
  })
  @Answers({ status: 200, type: ApiKeyList, description: 'Newest first, at most 1000.' })
  async list(): Promise<ApiKeyList> {
    const { rows } = await this.pool.query<ApiKeyItem>(
      `SELECT prefix, platform_id AS "platformId", scopes, created_at AS "createdAt",
              expires_at AS "expiresAt", revoked_at AS "revokedAt"
         FROM api_keys ORDER BY created_at DESC, prefix LIMIT 1000`,
    );
    return { items: rows };
  }

  @Post()
  @Allow('admin')
  @TakesCsrfToken()
  @ApiOperation({
    summary: 'Make an API key',
    operationId: 'createApiKey',
    description:
      'A platform has at most two live ones: a new one is rolled out, the old revoked. One with a ' +
      'scope that can move money begins to work when a second admin approves it.',
  })
  @Answers({ status: 201, type: NewApiKeyAnswer, description: 'The key.' }, 409, 422)
  async create(
    @Body() { platformId, scopes, expiresAt, reason }: CreateApiKeyDto,
    @CurrentUser() by: SignedIn,
    @AuditedBy() origin: AuditOrigin,
  ): Promise<NewApiKeyAnswer> {
    const wanted = {
      platformId,
      scopes,
      expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
    };
    const { row, action, key } = await this.keys.create(wanted, by, origin, reason);
    return { item: row && itemOf(row), action, key };
  }

  @Post(':prefix/revoke')
  @Allow('admin')
  @HttpCode(204)
  @TakesCsrfToken()
  @ApiOperation({ summary: 'Revoke an API key', operationId: 'revokeApiKey' })
  @Answers({ status: 204, description: 'It is refused everywhere within 5 seconds.' }, 404, 422)
  async revoke(
    @Param('prefix') prefix: string,
    @Body() { reason }: ReasonDto,
    @CurrentUser() by: SignedIn,
    @AuditedBy() origin: AuditOrigin,
  ): Promise<void> {
    await this.keys.revoke(prefix, by, origin, reason);
  }
}
