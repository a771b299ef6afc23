import { Controller, Get } from '@nestjs/common';
import type { AccountScope } from '../storage/account-scope.js';
import { InScope } from './request-scope.js';

@Controller('v2/ping')
export class PingController {
  /** Shows that the service answers and the key is valid, with its account and mode. */
  @Get()
  ping(@InScope() { account_id: account, live }: AccountScope) {
    return { ping: 'pong', mode: live ? 'live' : 'test', account };
  }
}
