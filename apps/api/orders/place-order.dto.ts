import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsInt, IsObject, IsOptional, IsUrl, Length, Matches,
  Max, MaxLength, Min, ValidateIf, ValidateNested, IsDefined, registerDecorator, type ValidationArguments,
} from 'class-validator';
import { CURRENCIES, type Currency, MAX_AMOUNT_MINOR } from '#kernel';
import { HoldsNoEmail, IsDuration, isDuration, IsTextMap } from '../shared/validators.js';

export const POLICIES = ['automatic', 'manual', 'delayed'] as const;
export const METHODS = ['card', 'sepa'] as const;
export const MODES = ['test', 'live'] as const;

/** A delay is given with `delayed`, and with nothing else. */
const IsDelay = (): PropertyDecorator => (target, property) =>
  registerDecorator({
    name: 'isDelay',
    target: target.constructor,
    propertyName: String(property),
    options: { message: 'delay is an ISO 8601 duration such as P2D, with the policy delayed only' },
    validator: {
      validate: (value: unknown, { object }: ValidationArguments) =>
        (object as CaptureDto).policy === 'delayed' && isDuration(value),
    },
  });

export class CaptureDto {
  @ApiProperty({ enum: POLICIES })
  @IsIn(POLICIES)
  policy!: (typeof POLICIES)[number];

  @ApiPropertyOptional({
    description: 'With `delayed` only: how long after the authorization, at most P6D.',
    example: 'P2D',
  })
  @ValidateIf((capture: CaptureDto) => capture.policy === 'delayed' || capture.delay !== undefined)
  @IsDelay()
  delay?: string;
}

/** What a platform asks for when it places an order. */
export class PlaceOrderDto {
  @ApiProperty({ description: 'Whose goods are sold.', example: 'merchant-7' })
  @Matches(/^[\w-]{1,64}$/)
  merchantId!: string;

  @ApiProperty({ description: 'Your own reference, unique among your orders.', maxLength: 64 })
  @Matches(/^[!-~]{1,64}$/, { message: '$property must be 1 to 64 visible ASCII characters' })
  @HoldsNoEmail()
  reference!: string;

  @ApiProperty({
    description: 'In minor units of the currency, e.g. cents.',
    type: 'integer', minimum: 1, maximum: MAX_AMOUNT_MINOR, example: 1250,
  })
  @Max(MAX_AMOUNT_MINOR)
  @Min(1)
  @IsInt()
  amountMinor!: number;

  @ApiProperty({ enum: CURRENCIES })
  @IsIn(CURRENCIES)
  currency!: Currency;

  @ApiProperty({ type: CaptureDto })
  @IsDefined()
  @ValidateNested()
  @IsObject()
  @Type(() => CaptureDto)
  capture!: CaptureDto;

  @ApiPropertyOptional({ enum: METHODS, isArray: true, default: ['card'] })
  @IsOptional()
  @IsIn(METHODS, { each: true })
  @ArrayUnique()
  @ArrayNotEmpty()
  @IsArray()
  methods?: (typeof METHODS)[number][];

  @ApiPropertyOptional({
    enum: MODES,
    description: 'Which account pays, where the merchant has a test and a live one.',
  })
  @IsOptional()
  @IsIn(MODES)
  mode?: (typeof MODES)[number];

  @ApiPropertyOptional({ description: 'Where the payer comes back to.', format: 'uri' })
  @IsOptional()
  @MaxLength(2_000)
  @IsUrl({ protocols: ['https', 'http'], require_protocol: true, require_tld: false })
  @HoldsNoEmail()
  returnUrl?: string;

  @ApiPropertyOptional({ description: 'Shown to the payer.', minLength: 3, maxLength: 64 })
  @IsOptional()
  @Length(3, 64)
  @HoldsNoEmail()
  description?: string;

  @ApiPropertyOptional({
    type: 'object', additionalProperties: { type: 'string' },
    description: 'Yours, given back as it is; no personal data: it becomes part of the history.',
  })
  @IsOptional()
  @IsTextMap()
  @HoldsNoEmail()
  metadata?: Record<string, string>;

  @ApiPropertyOptional({
    description: 'How long the payer may take, at most P30D.', default: 'P1D', example: 'PT30M',
  })
  @IsOptional()
  @IsDuration()
  expiresIn?: string;
}
