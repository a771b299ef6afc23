import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, Max, Min, ValidateIf } from 'class-validator';
import { MAX_AMOUNT_MINOR } from '#kernel';

/** How much of an authorized order is captured. */
export class CaptureOrderDto {
  @ApiPropertyOptional({
    description:
      'In minor units; not given: what is left of the authorized amount. Less than that only where ' +
      'the provider of the merchant’s account captures in part.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_AMOUNT_MINOR,
    example: 500,
  })
  // Null is no amount: it must not mean the whole, as JSON has null for NaN.
  @ValidateIf((_, value) => value !== undefined)
  @Max(MAX_AMOUNT_MINOR)
  @Min(1)
  @IsInt()
  amountMinor?: number;

  @ApiPropertyOptional({
    description:
      'Whether what is left is released, so that no further capture is possible. Not given: only ' +
      'where the provider captures an authorization once.',
  })
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  isFinal?: boolean;
}
