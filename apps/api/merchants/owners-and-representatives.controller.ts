import { Body, Controller, Delete, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/authenticate.js';
import type { Answer } from '../shared/answer.js';
import {
  type ChangeRequest,
  Idempotent,
  type Origin,
  RequestOrigin,
  TakesIdempotencyKey,
} from '../shared/change-request.js';
import { Answers, BODY_ERRORS, CHANGE_ERRORS } from '../shared/docs.js';
import { merchantIdPipe } from '../shared/id.pipe.js';
import { CallsProvider } from '../shared/provider-share.js';
import {
  OwnerChangeDto,
  OwnerDto,
  RepresentativeChangeDto,
  RepresentativeDto,
} from './details/owner-and-representative.dto.js';
import { PersonReference } from './person-reference.js';
import { OwnersAndRepresentatives } from './owners-and-representatives.js';
import { AT_COMPANY, AT_PROVIDER, DETAILS_ERRORS, LONG_NUMBERS } from './routes.js';

const ADD_ERRORS = [
  ...CHANGE_ERRORS,
  ...DETAILS_ERRORS,
  'merchant_not_found',
  'merchant_not_registered',
  'person_exists',
  ...AT_PROVIDER,
] as const;
const ALTER_ERRORS = [
  ...BODY_ERRORS,
  ...DETAILS_ERRORS,
  ...AT_COMPANY,
  'person_not_found',
] as const;
const REMOVE_ERRORS = ['busy', ...AT_COMPANY, 'person_not_found'] as const;

/**
 * Owners and representatives of a registered company; before the registration they are part of the
 * merchant's details.
 */
@ApiTags('Merchants')
@Controller('v1/merchants/:id')
@CallsProvider()
export class OwnersAndRepresentativesController {
  constructor(private readonly people: OwnersAndRepresentatives) {}

  @Post('owners')
  @Allow('merchants:write', LONG_NUMBERS)
  @TakesIdempotencyKey()
  @ApiOperation({ summary: 'Add an owner' })
  @Answers(
    { status: 201, type: PersonReference, description: 'The id of the owner at the provider.' },
    ...ADD_ERRORS,
  )
  addOwner(
    @Param('id', merchantIdPipe) merchantId: string,
    @Body() owner: OwnerDto,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<PersonReference>> {
    return this.people.add(request, { merchantId, role: 'owner' }, owner);
  }

  @Patch('owners/:personId')
  @Allow('merchants:write', LONG_NUMBERS)
  @ApiOperation({ summary: 'Change an owner' })
  @Answers(
    {
      type: PersonReference,
      description: 'The changed person, by its id at the provider.',
    },
    ...ALTER_ERRORS,
  )
  changeOwner(
    @Param('id', merchantIdPipe) merchantId: string,
    @Param('personId') personId: string,
    @Body() owner: OwnerChangeDto,
    @RequestOrigin() origin: Origin,
  ): Promise<PersonReference> {
    return this.people.change(origin, { merchantId, role: 'owner' }, personId, owner);
  }

  @Delete('owners/:personId')
  @Allow('merchants:write')
  @ApiOperation({
    summary: 'Remove an owner',
    description: 'A person who is also a representative stays a representative.',
  })
  @Answers({ status: 204, description: 'The person is removed.' }, ...REMOVE_ERRORS)
  removeOwner(
    @Param('id', merchantIdPipe) merchantId: string,
    @Param('personId') personId: string,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    return this.people.remove(origin, { merchantId, role: 'owner' }, personId);
  }

  @Post('representatives')
  @Allow('merchants:write', LONG_NUMBERS)
  @TakesIdempotencyKey()
  @ApiOperation({ summary: 'Add a representative' })
  @Answers(
    {
      status: 201,
      type: PersonReference,
      description: 'The id of the representative at the provider.',
    },
    ...ADD_ERRORS,
  )
  addRepresentative(
    @Param('id', merchantIdPipe) merchantId: string,
    @Body() representative: RepresentativeDto,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<PersonReference>> {
    return this.people.add(request, { merchantId, role: 'representative' }, representative);
  }

  @Patch('representatives/:personId')
  @Allow('merchants:write', LONG_NUMBERS)
  @ApiOperation({
    summary: 'Change a representative',
    description:
      'Also a representative of a legal person that represents the company, by its id in ' +
      '`missing` or in the details.',
  })
  @Answers(
    {
      type: PersonReference,
      description: 'The changed person, by its id at the provider.',
    },
    ...ALTER_ERRORS,
  )
  changeRepresentative(
    @Param('id', merchantIdPipe) merchantId: string,
    @Param('personId') personId: string,
    @Body() representative: RepresentativeChangeDto,
    @RequestOrigin() origin: Origin,
  ): Promise<PersonReference> {
    return this.people.change(
      origin,
      { merchantId, role: 'representative' },
      personId,
      representative,
    );
  }

  @Delete('representatives/:personId')
  @Allow('merchants:write')
  @ApiOperation({
    summary: 'Remove a representative',
    description: 'The last representative cannot be removed.',
  })
  @Answers({ status: 204, description: 'The person is removed.' }, ...REMOVE_ERRORS)
  removeRepresentative(
    @Param('id', merchantIdPipe) merchantId: string,
    @Param('personId') personId: string,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    return this.people.remove(origin, { merchantId, role: 'representative' }, personId);
  }
}
