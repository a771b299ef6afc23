import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';
import { MerchantBoard, readBoard } from './merchant-board.js';

@ApiTags('Merchants')
@Controller('v1/merchant-board')
export class MerchantsController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  @Allow('viewer', { narrowed: true })
  @ApiOperation({
    summary: 'Merchants by onboarding status',
  })
  @Answers({ type: MerchantBoard, description: 'The columns.' })
  getMerchantBoard(): Promise<MerchantBoard> {
    return readBoard(this.pool);
  }
}
