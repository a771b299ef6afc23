import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  Matches,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { CURRENCIES, MAX_AMOUNT_MINOR } from '#kernel';
import { Field, Integer, Nullable } from '#platform';
import { PlatformId } from '../shared/platform-id.js';
import type { AccessScope, AmountLimit, ScopeEntry } from './access-scope.js';

const MAX_ENTRIES = 200;

/** A platform that a limited user may see, or one of its merchants. */
export class ScopeEntryDto implements ScopeEntry {
  @PlatformId()
  platformId!: string;

  @Nullable(String, 'The platform’s id of one of its merchants; null: all its merchants.', {
    example: 'merchant-7',
  })
  @ValidateIf((_, value) => value !== null)
  @Matches(/^[^\p{C}\s]{1,100}$/u, { message: '$property must be the id of a merchant, or null' })
  merchantId!: string | null;
}

/** The maximum amount that a user may request or approve by one action. */
export class AmountLimitDto implements AmountLimit {
  @Field('ISO 4217, lower case.', { example: 'eur' })
  @IsIn(CURRENCIES)
  currency!: string;

  @Integer('The amount in minor units.', { example: 50_000 })
  @Max(MAX_AMOUNT_MINOR)
  @Min(0)
  @IsInt()
  mostMinor!: number;
}

interface ListOptions {
  /**
   * Whether a request must contain the list, by default true. Null is always refused, because only
   * an empty list means that there is no limit.
   */
  readonly required?: boolean;
}

const list =
  (
    type: new () => object,
    description: string,
    { required = true }: ListOptions = {},
  ): PropertyDecorator =>
  (target, name) => {
    ApiProperty({ type, isArray: true, description, maxItems: MAX_ENTRIES, required })(
      target,
      name,
    );
    for (const decorate of [
      ...(required ? [] : [ValidateIf((_, value) => value !== undefined)]),
      IsArray(),
      ArrayMaxSize(MAX_ENTRIES),
      ValidateNested({ each: true }),
      Type(() => type),
    ])
      decorate(target, name as string);
  };

export const ScopeEntries = (options?: ListOptions): PropertyDecorator =>
  list(
    ScopeEntryDto,
    'The platforms and merchants that the user may see; empty: everything, also queues and settings.',
    options,
  );

export const AmountLimits = (options?: ListOptions): PropertyDecorator =>
  list(
    AmountLimitDto,
    'The most that the user may request or approve by one action, by currency; the refunds of one ' +
      'payment count together. Amounts in other currencies are refused; empty: any amount.',
    options,
  );

/**
 * Converts access settings to their stored form: without unknown fields, and with each merchant and
 * currency once.
 */
export const plainAccess = ({ scope, limits }: AccessScope): AccessScope => ({
  scope: [
    ...new Map(
      scope.map(({ platformId, merchantId }) => [
        `${platformId} ${merchantId ?? ''}`,
        { platformId, merchantId },
      ]),
    ).values(),
  ],
  limits: [
    ...new Map(
      limits.map(({ currency, mostMinor }) => [currency, { currency, mostMinor }]),
    ).values(),
  ],
});
