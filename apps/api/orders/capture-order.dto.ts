import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, ValidateIf } from 'class-validator';
import { PartAmount } from './part-amount.js';

/** How much of an authorized order is captured. */
export class CaptureOrderDto {
  @PartAmount(
    'In minor units. Default: the whole rest. A part only where the provider supports parts.',
  )
  amountMinor?: number;

  @ApiPropertyOptional({
    description: 'Whether the rest is released. Default: true only where one capture is allowed.',
  })
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  isFinal?: boolean;
}
