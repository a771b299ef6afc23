import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsISO8601, IsOptional } from 'class-validator';
import { Pool } from 'pg';
import { inTransaction } from '#log';
import {
  DateTime,
  Field,
  hashSecret,
  ListOf,
  needsTwoPeople,
  newApiKey,
  Nullable,
  NullableDateTime,
  type Scope,
  SCOPES,
} from '#platform';
import { type Acting, Allow, CurrentUser } from '../access/allow.js';
import { insertKey, revokeKey } from '../access/key-changes.js';
import { lockActing } from '../access/still-acting.js';
import { Actions } from '../actions/actions.js';
import { ActionAnswer, actionPath, WAITS } from '../actions/action-answers.js';
import { Answers, listOf } from '../shared/docs.js';
import { PlatformId } from '../shared/platform-id.js';
import { ReasonDto } from '../shared/reason.dto.js';

class CreateApiKeyDto extends ReasonDto {
  @PlatformId()
  platformId!: string;

  @ApiProperty({
    enum: SCOPES,
    enumName: 'Scope',
    isArray: true,
    description: 'The scopes of the new key.',
  })
  @IsIn(SCOPES, { each: true })
  @ArrayUnique()
  @ArrayNotEmpty()
  @IsArray()
  scopes!: readonly Scope[];

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Default: no expiry.',
  })
  @IsOptional()
  @IsISO8601({ strict: true })
  expiresAt?: string;
}

class ApiKeyItem {
  @Field('The public part of the key.', { example: 'po_3xKq0Zb7Yw2m' })
  prefix!: string;

  @Field('The platform of the key.')
  platformId!: string;

  @ListOf(String, 'The scopes of the key.')
  scopes!: readonly string[];

  @DateTime('When the key was created, wall-clock time.')
  createdAt!: Date;

  @NullableDateTime('When the key expires, wall-clock time; null: no expiry.')
  expiresAt!: Date | null;

  @NullableDateTime('When the key was revoked, wall-clock time; null: not revoked.')
  revokedAt!: Date | null;
}

class ApiKeyList extends listOf(ApiKeyItem) {}

class NewApiKeyAnswer {
  @Nullable(ApiKeyItem, 'Null while the key awaits approval.')
  item!: ApiKeyItem | null;

  @Nullable(ActionAnswer, WAITS)
  action!: ActionAnswer | null;

  @Field('The full key, shown once.')
  key!: string;
}

@ApiTags('Settings')
@Controller('v1/api-keys')
export class ApiKeysController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly actions: Actions,
  ) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'API keys of the platforms, without their secrets' })
  @Answers({ type: ApiKeyList, description: 'Newest first, at most 1000.' })
  async listApiKeys(): Promise<ApiKeyList> {
    const { rows } = await this.pool.query<ApiKeyItem>(
      `SELECT prefix, platform_id AS "platformId", scopes, created_at AS "createdAt",
              expires_at AS "expiresAt", revoked_at AS "revokedAt"
         FROM api_keys ORDER BY created_at DESC, prefix LIMIT 1000`,
    );
    return { items: rows };
  }

  @Post()
  @Allow('admin')
  @ApiOperation({
    summary: 'Create an API key',
    description:
      'A platform has at most 20 active keys. A key with a scope that can move money, or with ' +
      '`webhooks:write`, becomes active when a second admin approves the key.',
  })
  @Answers(
    {
      status: 201,
      location: ({ item, action }: NewApiKeyAnswer) =>
        item === null ? actionPath(action) : `/v1/api-keys/${item.prefix}`,
      type: NewApiKeyAnswer,
      description: 'The key.',
    },
    409,
    422,
  )
  async createApiKey(
    @Body() { platformId, scopes, expiresAt, reason }: CreateApiKeyDto,
    @CurrentUser() by: Acting,
  ): Promise<NewApiKeyAnswer> {
    const { text: key, prefix, secret } = newApiKey();
    const secretHash = hashSecret(secret);
    if (scopes.some(needsTwoPeople)) {
      const action = await this.actions.requestSetting(
        {
          kind: 'create_api_key',
          reason,
          private: { secretHash: secretHash.toString('hex') },
          target: {
            subjectId: prefix,
            platformId,
            scopes,
            ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
          },
        },
        by,
      );
      return { item: null, action, key };
    }
    const wanted = { platformId, scopes, expiresAt: expiresAt ? new Date(expiresAt) : null };
    const { hash: _hash, ...item } = await inTransaction(this.pool, async (client) => {
      await lockActing(client, by, 'admin');
      return insertKey(client, { ...wanted, prefix, secretHash }, { origin: by, reason });
    });
    return { item, action: null, key };
  }

  @Post(':prefix/revoke')
  @Allow('admin')
  @ApiOperation({ summary: 'Revoke an API key' })
  @Answers({ status: 204, description: 'The key is rejected within 5 seconds.' }, 404, 422)
  async revokeApiKey(
    @Param('prefix') prefix: string,
    @Body() { reason }: ReasonDto,
    @CurrentUser() by: Acting,
  ): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      await lockActing(client, by, 'admin');
      await revokeKey(client, prefix, by, reason);
    });
  }
}
