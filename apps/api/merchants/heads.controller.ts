import { Body, Controller, Delete, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { merchantIdPipe } from '../shared/id.pipe.js';
import {
  Idempotent,
  type IdempotentRequest,
  TakesIdempotencyKey,
} from '../shared/idempotency-key.js';
import { send } from '../shared/idempotency.js';
import { type Origin, RequestOrigin } from '../shared/origin.js';
import {
  OwnerChangeDto,
  OwnerDto,
  RepresentativeChangeDto,
  RepresentativeDto,
} from './details/head.dto.js';
import { HeadAnswer } from './head-answer.js';
import { Heads } from './heads.js';
import { AT_PROVIDER, DETAILS_ERRORS, LONG_NUMBERS } from './routes.js';

const ADD_ERRORS = [
  ...CHANGE_ERRORS,
  ...DETAILS_ERRORS,
  'merchant_not_found',
  'merchant_not_registered',
  'head_exists',
  ...AT_PROVIDER,
] as const;
const ALTER_ERRORS = [
  'malformed_request',
  'card_number_refused',
  'iban_refused',
  'busy',
  ...DETAILS_ERRORS,
  'merchant_not_found',
  'merchant_not_registered',
  'head_not_found',
  ...AT_PROVIDER,
] as const;
const REMOVE_ERRORS = [
  'busy',
  'merchant_not_found',
  'merchant_not_registered',
  'head_not_found',
  ...AT_PROVIDER,
] as const;

/** Owners and representatives of a registered company; before, they are part of its details. */
@ApiTags('Merchants')
@Controller('v1/merchants/:id')
export class HeadsController {
  constructor(private readonly heads: Heads) {}

  @Post('owners')
  @Allow('merchants:write', LONG_NUMBERS)
  @TakesIdempotencyKey()
  @ApiOperation({ summary: 'Add an owner', operationId: 'addOwner' })
  @Answers({ status: 201, type: HeadAnswer, description: 'The owner, by its id.' }, ...ADD_ERRORS)
  async addOwner(
    @Param('id', merchantIdPipe) merchantId: string,
    @Body() owner: OwnerDto,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @RequestOrigin() origin: Origin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<HeadAnswer> {
    const change = { caller, merchantId, role: 'owner', origin } as const;
    return send(reply, await this.heads.add(change, owner, request));
  }

  @Patch('owners/:headId')
  @Allow('merchants:write', LONG_NUMBERS)
  @ApiOperation({ summary: 'Change an owner', operationId: 'changeOwner' })
  @Answers({ status: 200, type: HeadAnswer, description: 'It is changed.' }, ...ALTER_ERRORS)
  changeOwner(
    @Param('id', merchantIdPipe) merchantId: string,
    @Param('headId') headId: string,
    @Body() owner: OwnerChangeDto,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
  ): Promise<HeadAnswer> {
    const change = { caller, merchantId, role: 'owner', origin } as const;
    return this.heads.change(change, headId, owner);
  }

  @Delete('owners/:headId')
  @HttpCode(204)
  @Allow('merchants:write')
  @ApiOperation({
    summary: 'Remove an owner',
    operationId: 'removeOwner',
    description: 'The same person stays as a representative.',
  })
  @Answers({ status: 204, description: 'It is gone.' }, ...REMOVE_ERRORS)
  removeOwner(
    @Param('id', merchantIdPipe) merchantId: string,
    @Param('headId') headId: string,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    return this.heads.remove({ caller, merchantId, role: 'owner', origin }, headId);
  }

  @Post('representatives')
  @Allow('merchants:write', LONG_NUMBERS)
  @TakesIdempotencyKey()
  @ApiOperation({ summary: 'Add a representative', operationId: 'addRepresentative' })
  @Answers(
    { status: 201, type: HeadAnswer, description: 'The representative, by its id.' },
    ...ADD_ERRORS,
  )
  async addRepresentative(
    @Param('id', merchantIdPipe) merchantId: string,
    @Body() head: RepresentativeDto,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @RequestOrigin() origin: Origin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<HeadAnswer> {
    const change = { caller, merchantId, role: 'representative', origin } as const;
    return send(reply, await this.heads.add(change, head, request));
  }

  @Patch('representatives/:headId')
  @Allow('merchants:write', LONG_NUMBERS)
  @ApiOperation({ summary: 'Change a representative', operationId: 'changeRepresentative' })
  @Answers({ status: 200, type: HeadAnswer, description: 'It is changed.' }, ...ALTER_ERRORS)
  changeRepresentative(
    @Param('id', merchantIdPipe) merchantId: string,
    @Param('headId') headId: string,
    @Body() head: RepresentativeChangeDto,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
  ): Promise<HeadAnswer> {
    const change = { caller, merchantId, role: 'representative', origin } as const;
    return this.heads.change(change, headId, head);
  }

  @Delete('representatives/:headId')
  @HttpCode(204)
  @Allow('merchants:write')
  @ApiOperation({
    summary: 'Remove a representative',
    operationId: 'removeRepresentative',
    description: 'The last one stays.',
  })
  @Answers({ status: 204, description: 'It is gone.' }, ...REMOVE_ERRORS)
  removeRepresentative(
    @Param('id', merchantIdPipe) merchantId: string,
    @Param('headId') headId: string,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    return this.heads.remove({ caller, merchantId, role: 'representative', origin }, headId);
  }
}
