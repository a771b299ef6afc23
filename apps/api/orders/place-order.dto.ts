import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsUrl,
  Length,
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
import { HoldsNoEmail, IsDuration, isDuration, IsTextMap } from '../shared/validators.js';

export const POLICIES = ['automatic', 'manual', 'delayed'] as const;

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
  @ApiProperty({
    description:
      'Whose goods are sold: a merchant that is onboarded here and open for orders, or one whose ' +
      'account you have registered.',
    example: 'merchant-7',
  })
  @Matches(/^[\w-]{1,64}$/, {
    message: '$property must be 1 to 64 letters, digits, underscores or hyphens',
  })
  merchantId!: string;

  @ApiProperty({
    description:
      'Your own reference, unique among your orders: 1 to 64 visible ASCII characters. A run of ' +
      '13 to 19 digits that passes the Luhn check is refused as a possible card number: put ' +
      'letters between, or use a UUID.',
    maxLength: 64,
    example: 'cart-2041',
  })
  @Matches(/^[!-~]{1,64}$/, { message: '$property must be 1 to 64 visible ASCII characters' })
  @HoldsNoEmail()
  reference!: string;

  @ApiProperty({
    description: 'In minor units of the currency, e.g. cents.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_AMOUNT_MINOR,
    example: 1250,
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

  @ApiPropertyOptional({ enum: PAYMENT_METHODS, isArray: true, default: ['card'] })
  @IsOptional()
  @IsIn(PAYMENT_METHODS, { each: true })
  @ArrayUnique()
  @ArrayNotEmpty()
  @IsArray()
  methods?: (typeof PAYMENT_METHODS)[number][];

  @ApiPropertyOptional({
    description:
      'A mandate that this merchant’s payer signed before: it is debited with no payer present, ' +
      'and `methods` is `sepa` alone. The order is `paid` when the debit is accepted, or `failed`.',
    example: 'sepa_3xKq0Zb7Yw2m4c9NfTgV1hJa',
  })
  @IsOptional()
  @Matches(/^sepa_[A-Za-z0-9]{1,64}$/, { message: '$property must be a sepa_ id' })
  mandateId?: string;

  @ApiPropertyOptional({
    enum: ACCOUNT_MODES,
    description:
      'Which account pays, where the merchant has a test and a live one. Of a merchant that is ' +
      'onboarded here: its own mode unless given.',
  })
  @IsOptional()
  @IsIn(ACCOUNT_MODES)
  mode?: AccountMode;

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
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Yours, given back as it is; no personal data: it becomes part of the history.',
  })
  @IsOptional()
  @IsTextMap()
  @HoldsNoEmail()
  metadata?: Record<string, string>;

  @ApiPropertyOptional({
    description: 'How long the payer may take, at most P30D.',
    default: 'P1D',
    example: 'PT30M',
  })
  @IsOptional()
  @IsDuration()
  expiresIn?: string;
}

/** Requests for the API reference that can be sent as they stand. */
export const PLACE_ORDER_EXAMPLES = {
  automatic: {
    summary: 'By card, captured at once',
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
