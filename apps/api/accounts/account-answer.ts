import { ApiProperty } from '@nestjs/swagger';
import { MODES } from '../orders/place-order.dto.js';

/** A merchant's account at the provider. */
export class AccountAnswer {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  merchantId!: string;

  @ApiProperty({ enum: MODES })
  mode!: string;

  @ApiProperty({ description: 'Where the provider sends its webhooks for this account.' })
  webhookUrl!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}
