import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMinSize, IsArray, IsBoolean, IsIn, IsString, ValidateIf } from 'class-validator';
import { INSTANT } from '#lists';
import { EVENT_TYPES } from '#orchestrator';
import { Optional } from '#platform';
import { DELIVERY_STATES, EndpointUrl, EventPatterns, EventsOfMerchant } from '#webhook';

export class CreateEndpointDto {
  @EndpointUrl()
  url!: string;

  @EventPatterns(EVENT_TYPES, { default: ['*'] })
  @Optional()
  eventTypes?: readonly string[];

  @EventsOfMerchant()
  merchantId?: string | null;
}

/** The fields to change; the other fields stay unchanged. */
export class ChangeEndpointDto {
  @ApiPropertyOptional({
    description: 'The new URL; the secret stays.',
    format: 'uri',
    maxLength: 2_048,
  })
  @ValidateIf((body: ChangeEndpointDto) => body.url !== undefined)
  @IsString()
  url?: string;

  @EventPatterns(EVENT_TYPES)
  @ValidateIf((body: ChangeEndpointDto) => body.eventTypes !== undefined)
  eventTypes?: readonly string[];

  @EventsOfMerchant()
  merchantId?: string | null;
}

export class RotateSecretDto {
  @ApiPropertyOptional({
    default: false,
    description:
      'Whether messages are signed only with the new secret from now on, e.g. because the former secret leaked. ' +
      'Receivers reject all messages until they have the new secret.',
  })
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  revokeFormer?: boolean;
}

export class RedeliverDto {
  @ApiProperty({
    format: 'date-time',
    description: 'Deliveries whose `createdAt` is this or later; real time.',
  })
  @INSTANT
  from!: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Deliveries whose `createdAt` is before this; real time.',
  })
  @INSTANT
  to!: string;

  @ApiPropertyOptional({
    type: [String],
    enum: DELIVERY_STATES,
    default: ['pending', 'failed'],
    description: 'Only deliveries in these states; those that are `pending` are sent now.',
  })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @IsIn(DELIVERY_STATES, { each: true })
  states?: readonly string[];
}
