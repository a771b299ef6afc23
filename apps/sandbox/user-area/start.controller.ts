import { Controller, Get, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AreaErrors } from './area-errors.filter.js';
import { LiveMode } from './web/mode.js';
import { modePath } from './web/view.js';

/** Where the User Area begins: the payments, in test mode unless another one is named. */
@Controller('user-area')
@UseFilters(AreaErrors)
export class AreaStartController {
  @Get()
  start(@Res() reply: FastifyReply): void {
    void reply.redirect(`${modePath(false)}/payments`, 303);
  }

  @Get(':mode')
  startIn(@LiveMode() live: boolean, @Res() reply: FastifyReply): void {
    void reply.redirect(`${modePath(live)}/payments`, 303);
  }
}
