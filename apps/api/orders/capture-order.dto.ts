import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, ValidateIf } from 'class-validator';
import { PartAmount } from './part-amount.js';

/** How much of an authorized order is captured. */
export class CaptureOrderDto {
  @PartAmount(
    'In minor units, e.g. cents. Default: the rest of the authorized amount. A part is possible only where ' +
      'the provider of the merchant’s account captures in part.',
  )
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
