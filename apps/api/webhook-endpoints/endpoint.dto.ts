import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Matches,
  Validate,
  ValidateIf,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { INSTANT } from '#lists';
import { EVENT_TYPES } from '#orchestrator';
import { DELIVERY_STATES, isPatternOf } from '#webhook';

const MAX_PATTERNS = 50;

@ValidatorConstraint()
class IsEventPattern implements ValidatorConstraintInterface {
  validate(text: unknown): boolean {
    return typeof text === 'string' && isPatternOf(EVENT_TYPES, text);
  }

  defaultMessage(): string {
    return '$property must contain event types, or the beginning of event types followed by *';
  }
}

const EVENT_TYPES_DOCS: ApiPropertyOptions = {
  type: [String],
  maxItems: MAX_PATTERNS,
  description:
    'The event types to send: each an event type, the beginning of event types followed by `*`, ' +
    'or `*` for all.',
  example: ['Order*', 'PaymentCaptured'],
};
const MERCHANT_DOCS: ApiPropertyOptions = {
  type: String,
  nullable: true,
  description: 'Send only events of this merchant; null: events of all merchants.',
  example: 'merchant-7',
};
const MERCHANT_ID = /^[\w-]{1,64}$/;
const MERCHANT_MESSAGE = {
  message: '$property must be 1 to 64 letters, digits, underscores or hyphens',
};

export class CreateEndpointDto {
  @ApiProperty({
    description:
      'An https URL at a public address. It may contain a secret: it is stored encrypted, and no ' +
      'event contains it.',
    format: 'uri',
    maxLength: 2_048,
    example: 'https://hooks.platform.example/payments',
  })
  @IsString()
  url!: string;

  @ApiPropertyOptional({ ...EVENT_TYPES_DOCS, default: ['*'] })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_PATTERNS)
  @Validate(IsEventPattern, { each: true })
  eventTypes?: readonly string[];

  @ApiPropertyOptional(MERCHANT_DOCS)
  @IsOptional()
  @Matches(MERCHANT_ID, MERCHANT_MESSAGE)
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

  @ApiPropertyOptional(EVENT_TYPES_DOCS)
  @ValidateIf((body: ChangeEndpointDto) => body.eventTypes !== undefined)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_PATTERNS)
  @Validate(IsEventPattern, { each: true })
  eventTypes?: readonly string[];

  @ApiPropertyOptional(MERCHANT_DOCS)
  @IsOptional()
  @Matches(MERCHANT_ID, MERCHANT_MESSAGE)
  merchantId?: string | null;
}

/** The states of deliveries that have ended. */
const ENDED = DELIVERY_STATES.filter((state) => state !== 'pending');

export class RedeliverDto {
  @ApiProperty({ format: 'date-time', description: 'Deliveries created at this time or later.' })
  @INSTANT
  from!: string;

  @ApiProperty({ format: 'date-time', description: 'Deliveries created before this time.' })
  @INSTANT
  to!: string;

  @ApiPropertyOptional({
    type: [String],
    enum: ENDED,
    default: ['failed', 'skipped'],
    description: 'Only deliveries in these states.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @IsIn(ENDED, { each: true })
  states?: readonly string[];
}
