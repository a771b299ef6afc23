import { Controller, Get } from '@nestjs/common';
import type { AccountScope } from '../storage/account-scope.js';
import { InScope } from './request-scope.js';

@Controller('v2/ping')
export class PingController {
  /** Responds with the account and mode of a valid key; shows that the service is up. */
  @Get()
  ping(@InScope() { account_id: account, live }: AccountScope) {
    return { ping: 'pong', mode: live ? 'live' : 'test', account };
  }
}
