import { join } from 'node:path';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TextAssets } from '../page/web/text-assets.js';

/** The scripts and styles of the User Area. */
@Controller('user-area-assets')
export class AreaAssetsController {
  private readonly assets = new TextAssets(join(import.meta.dirname, 'browser'));

  @Get(':name')
  read(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    this.assets.send(name, request, reply);
  }
}
