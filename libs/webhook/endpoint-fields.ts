import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsOptional,
  IsString,
  Matches,
  ValidateBy,
} from 'class-validator';
import { isPatternOf } from './domain/event-pattern.js';

const MAX_PATTERNS = 50;

/*
 * Decorators that validate and document the fields of a request that creates or changes an endpoint.
 */

/** The URL of a new endpoint; `mustBeAllowed` decides whether the URL is allowed. */
export const EndpointUrl = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      description:
        'An https URL at a public address. It may contain a secret: it is stored encrypted, and no ' +
        'event contains it.',
      format: 'uri',
      maxLength: 2_048,
      example: 'https://hooks.platform.example/payments',
    }),
    IsString(),
  );

/** The patterns of the event types to send; `types`: all event types. */
export const EventPatterns = (
  types: readonly string[],
  docs: ApiPropertyOptions = {},
): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: [String],
      maxItems: MAX_PATTERNS,
      description:
        'The event types to send: each an event type, the beginning of event types followed by `*`, ' +
        'or `*` for all.',
      example: ['Order*', 'PaymentCaptured'],
      ...docs,
    }),
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(MAX_PATTERNS),
    ValidateBy(
      {
        name: 'isEventPattern',
        validator: {
          validate: (text) => typeof text === 'string' && isPatternOf(types, text),
          defaultMessage: () =>
            '$property must contain event types, or the beginning of event types followed by *',
        },
      },
      { each: true },
    ),
  );

/** The merchant whose events are sent. */
export const EventsOfMerchant = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: String,
      nullable: true,
      description: 'Send only events of this merchant; null: events of all merchants.',
      example: 'merchant-7',
    }),
    IsOptional(),
    Matches(/^[\w-]{1,64}$/, {
      message: '$property must be 1 to 64 letters, digits, underscores or hyphens',
    }),
  );
