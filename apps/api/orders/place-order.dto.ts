import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsUrl,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
  IsDefined,
  registerDecorator,
  type ValidationArguments,
} from 'class-validator';
import { CURRENCIES, type Currency, MAX_AMOUNT_MINOR } from '#kernel';
import { PAYMENT_METHODS } from '#order';
import { ACCOUNT_MODES, type AccountMode } from '#psp';
import { Field, Integer, NullIsMissing, OneOf, Optional } from '#platform';
import {
  HasLength,
  HoldsNoEmail,
  IsDuration,
  isDuration,
  IsTextMap,
} from '../shared/validators.js';

export const POLICIES = ['automatic', 'manual', 'delayed'] as const;

/** A delay is required with `delayed`, and refused with any other policy. */
const IsDelay = (): PropertyDecorator => (target, property) =>
  registerDecorator({
    name: 'isDelay',
    target: target.constructor,
    propertyName: String(property),
    options: {
      message:
        'delay must be an ISO 8601 duration such as P2D, and is accepted only with the policy ' +
        'delayed',
    },
    validator: {
      validate: (value: unknown, { object }: ValidationArguments) =>
        (object as CaptureDto).policy === 'delayed' && isDuration(value),
    },
  });

export class CaptureDto {
  @OneOf(POLICIES)
  @IsIn(POLICIES)
  policy!: (typeof POLICIES)[number];

  @ApiPropertyOptional({
    description:
      'With `delayed` only: the delay from the authorization to the capture, at most P6D.',
    example: 'P2D',
  })
  @NullIsMissing()
  @ValidateIf(({ policy, delay }: CaptureDto) => policy === 'delayed' || delay !== undefined)
  @IsDelay()
  delay?: string;
}

/** The request to place an order. */
export class PlaceOrderDto {
  @Field(
    'The merchant that sells: one that is onboarded here and enabled for orders, or one whose ' +
      'account you have registered.',
    { example: 'merchant-7' },
  )
  @Matches(/^[\w-]{1,64}$/, {
    message: '$property must be 1 to 64 letters, digits, underscores or hyphens',
  })
  merchantId!: string;

  @Field(
    'Your own reference, unique among your orders: 1 to 64 visible ASCII characters. A text ' +
      'that looks like a card number is refused: see `card_number_not_allowed`.',
    { maxLength: 64, example: 'cart-2041' },
  )
  @Matches(/^[!-~]{1,64}$/, { message: '$property must be 1 to 64 visible ASCII characters' })
  @HoldsNoEmail()
  reference!: string;

  @Integer('In minor units of the currency, e.g. `1250` for 12.50 EUR.', {
    minimum: 1,
    maximum: MAX_AMOUNT_MINOR,
    example: 1250,
  })
  @Max(MAX_AMOUNT_MINOR)
  @Min(1)
  @IsInt()
  amountMinor!: number;

  @OneOf(CURRENCIES)
  @IsIn(CURRENCIES)
  currency!: Currency;

  @ApiProperty({ type: CaptureDto })
  @IsDefined()
  @ValidateNested()
  @IsObject()
  @Type(() => CaptureDto)
  capture!: CaptureDto;

  @ApiPropertyOptional({ enum: PAYMENT_METHODS, isArray: true, default: ['card'] })
  @Optional()
  @IsIn(PAYMENT_METHODS, { each: true })
  @ArrayUnique()
  @ArrayNotEmpty()
  @IsArray()
  methods?: (typeof PAYMENT_METHODS)[number][];

  @ApiPropertyOptional({
    description:
      'A mandate signed by this merchant’s payer. It is debited without the payer being present, ' +
      'and `methods` must be `sepa` only. The order is `paid` when the debit is accepted, or ' +
      '`failed`.',
    example: 'sepa_3xKq0Zb7Yw2m4c9NfTgV1hJa',
  })
  @Optional()
  @Matches(/^sepa_[A-Za-z0-9]{1,64}$/, { message: '$property must be a sepa_ id' })
  mandateId?: string;

  @ApiPropertyOptional({
    enum: ACCOUNT_MODES,
    description:
      'The mode of the account, when the merchant has a test account and a live account. Default ' +
      'for a merchant that is onboarded here: the merchant’s mode.',
  })
  @Optional()
  @IsIn(ACCOUNT_MODES)
  mode?: AccountMode;

  @ApiPropertyOptional({ description: 'The URL to which the payer returns.', format: 'uri' })
  @Optional()
  @MaxLength(2_000)
  @IsUrl({ protocols: ['https', 'http'], require_protocol: true, require_tld: false })
  @HoldsNoEmail()
  returnUrl?: string;

  @ApiPropertyOptional({ description: 'A text shown to the payer.', minLength: 3, maxLength: 64 })
  @Optional()
  @HasLength(3, 64)
  @HoldsNoEmail()
  description?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'Your own keys and values, returned unchanged. Must not contain personal data: the event ' +
      'history stores them. A text that looks like a card number is refused: see ' +
      '`card_number_not_allowed`.',
  })
  @Optional()
  @IsTextMap()
  @HoldsNoEmail()
  metadata?: Record<string, string>;

  @ApiPropertyOptional({
    description: 'How long the payer may take to pay, at most P30D.',
    default: 'P1D',
    example: 'PT30M',
  })
  @Optional()
  @IsDuration()
  expiresIn?: string;
}

/** Examples for the API reference that are valid requests. */
export const PLACE_ORDER_EXAMPLES = {
  automatic: {
    summary: 'By card, captured immediately',
    value: {
      merchantId: 'merchant-7',
      reference: 'cart-2041',
      amountMinor: 1_250,
      currency: 'eur',
      capture: { policy: 'automatic' },
      description: 'A lamp and two bulbs',
    },
  },
  delayed: {
    summary: 'By card, captured two days after the authorization',
    value: {
      merchantId: 'merchant-7',
      reference: 'cart-2042',
      amountMinor: 1_250,
      currency: 'eur',
      capture: { policy: 'delayed', delay: 'P2D' },
    },
  },
  sepa: {
    summary: 'By card or SEPA direct debit, with half an hour to pay',
    value: {
      merchantId: 'merchant-7',
      reference: 'cart-2043',
      amountMinor: 1_250,
      currency: 'eur',
      capture: { policy: 'automatic' },
      methods: ['card', 'sepa'],
      expiresIn: 'PT30M',
      returnUrl: 'https://shop.example/orders/cart-2043',
      metadata: { cart: 'cart-2043' },
    },
  },
} as const;
