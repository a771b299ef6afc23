import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, Max, Min, ValidateIf } from 'class-validator';
import { MAX_AMOUNT_MINOR } from '#kernel';

/** How much of an authorized order is captured. */
export class CaptureOrderDto {
  @ApiPropertyOptional({
    description:
      'In minor units, e.g. cents. Default: the rest of the authorized amount. A part only where ' +
      'the provider of the merchant’s account captures in part.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_AMOUNT_MINOR,
    example: 500,
  })
  // Null is refused: JSON has null for NaN, which must not capture the whole amount.
  @ValidateIf((_, value) => value !== undefined)
  @Max(MAX_AMOUNT_MINOR)
  @Min(1)
  @IsInt()
  amountMinor?: number;

  @ApiPropertyOptional({
    description:
      'Whether the rest is released, so that no further capture is possible. Default: true only ' +
      'where the provider allows one capture per authorization.',
  })
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  isFinal?: boolean;
}
