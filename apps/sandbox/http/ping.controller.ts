import { Controller, Get } from '@nestjs/common';

@Controller('v2/ping')
export class PingController {
  /** The key is good and the service answers. */
  @Get()
  ping(): { readonly ping: 'pong' } {
    return { ping: 'pong' };
  }
}
