import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min, ValidateIf } from 'class-validator';
import { MAX_AMOUNT_MINOR } from '#kernel';

/** How much of an authorized order is captured. */
export class CaptureOrderDto {
  @ApiPropertyOptional({
    description:
      'In minor units; not given: the whole amount. Less than that only where the provider of ' +
      'the merchant’s account captures in part.',
    type: 'integer', minimum: 1, maximum: MAX_AMOUNT_MINOR, example: 500,
  })
  // Null is no amount: it must not mean the whole, as JSON has null for NaN.
  @ValidateIf((_, value) => value !== undefined)
  @Max(MAX_AMOUNT_MINOR)
  @Min(1)
  @IsInt()
  amountMinor?: number;
}
