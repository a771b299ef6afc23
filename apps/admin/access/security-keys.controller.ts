import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsString, Length, MaxLength } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { DateTime, Field, NullableDateTime } from '#platform';
import { Answers, listOf } from '../shared/docs.js';
import { type Acting, Allow, CurrentUser } from './allow.js';
import { MAX_KEY_CHARS, ProofDto, SecondFactorAnswer } from './second-factor.dto.js';
import { SecondFactors } from './second-factors.js';
import { SecurityKeys } from './security-keys.js';
import { SessionReplies } from './session-replies.js';

const NAME_CHARS = 64;

class SecurityKeyAnswer {
  @Field('The id that the key gave itself.', { example: 'Zm9vYmFy' })
  id!: string;

  @Field('The name that the user gave the key.', { example: 'blue key' })
  name!: string;

  @DateTime('When the key was registered, wall-clock time.')
  createdAt!: Date;

  @NullableDateTime('When the key was last used, wall-clock time; null: never.')
  lastUsedAt!: Date | null;
}

class SecurityKeyList extends listOf(SecurityKeyAnswer) {}

class KeyOptionsAnswer {
  @Field('The options for the browser’s call of the key, as JSON text.', {
    example: '{"challenge":"Zm9v"}',
  })
  options!: string;
}

class AddSecurityKeyDto {
  @Field('A name by which the user recognises the key.', { example: 'blue key' })
  @IsString()
  @Length(1, NAME_CHARS)
  name!: string;

  @Field('The new key: the credential’s toJSON() as text.', { example: '{"id":"Zm9v"}' })
  @IsString()
  @MaxLength(MAX_KEY_CHARS)
  key!: string;
}

@ApiTags('Session')
@Controller('v1/session/security-keys')
export class SecurityKeysController {
  constructor(
    private readonly keys: SecurityKeys,
    private readonly factors: SecondFactors,
    private readonly replies: SessionReplies,
  ) {}

  @Get()
  @Allow('identified')
  @ApiOperation({ summary: 'List your security keys' })
  @Answers({ type: SecurityKeyList, description: 'Your security keys, the oldest first.' })
  async listSecurityKeys(@CurrentUser() { userId }: Acting): Promise<SecurityKeyList> {
    return { items: await this.keys.list(userId) };
  }

  @Post('challenge')
  @Allow('session')
  @ApiOperation({
    summary: 'Get a challenge for your security keys',
    description: 'The challenge is valid once, for five minutes and in this session.',
  })
  @Answers({ type: KeyOptionsAnswer, description: 'The options.' }, 404, 409)
  async challengeSecurityKeys(@CurrentUser() by: Acting): Promise<KeyOptionsAnswer> {
    return { options: await this.keys.beginProof(by) };
  }

  @Post('begin')
  @Allow('identified', { random: ['key'] })
  @ApiOperation({
    summary: 'Begin to register a security key',
    description: 'A user who has a second factor must prove it.',
  })
  @Answers({ type: KeyOptionsAnswer, description: 'The options.' }, 409, 422)
  async beginSecurityKey(
    @Body() proof: ProofDto,
    @CurrentUser() by: Acting,
  ): Promise<KeyOptionsAnswer> {
    return { options: await this.factors.beginKey(by, proof) };
  }

  @Post('confirm')
  @Allow('identified', { random: ['key'] })
  @ApiOperation({
    summary: 'Register a security key',
    description: 'Ends all your sessions and begins a new session in this browser.',
  })
  @Answers({ type: SecondFactorAnswer, description: 'The new session.' }, 409, 422)
  async confirmSecurityKey(
    @Body() { name, key }: AddSecurityKeyDto,
    @CurrentUser() by: Acting,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SecondFactorAnswer> {
    const { token, recoveryCodes } = await this.factors.addKey(by, name, key);
    return { recoveryCodes, session: await this.replies.begun(token, reply) };
  }

  @Post(':id/remove')
  @Allow('identified', { random: ['key'] })
  @ApiOperation({
    summary: 'Remove a security key',
    description: 'The user must prove a second factor. Ends your other sessions.',
  })
  @Answers({ type: SecurityKeyList, description: 'The remaining keys.' }, 404, 409, 422)
  async removeSecurityKey(
    @Param('id') id: string,
    @Body() proof: ProofDto,
    @CurrentUser() by: Acting,
  ): Promise<SecurityKeyList> {
    await this.factors.removeKey(by, id, proof);
    return { items: await this.keys.list(by.userId) };
  }
}
