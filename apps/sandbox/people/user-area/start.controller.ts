import { Controller, Get, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { HOUSE_TEST, type AccountScope } from '../../storage/account-scope.js';
import { AreaErrors } from './area-errors.filter.js';
import { AreaScope } from './web/area-scope.js';
import { areaPath } from './web/view.js';

/** The User Area's start: the payments, in test mode by default. */
@Controller('user-area')
@UseFilters(AreaErrors)
export class AreaStartController {
  @Get()
  start(@Res() reply: FastifyReply): void {
    void reply.redirect(`${areaPath(HOUSE_TEST)}/payments`, 303);
  }

  @Get(':mode')
  startIn(@AreaScope() scope: AccountScope, @Res() reply: FastifyReply): void {
    void reply.redirect(`${areaPath(scope)}/payments`, 303);
  }
}
