import { Controller, Get, Param, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TextAssets } from './text-assets.js';

/** Serves the scripts and styles of `folder` below `path`. */
export const assetsController = (path: string, folder: string): Type => {
  @Controller(path)
  class AssetsController {
    private readonly assets = new TextAssets(folder);

    @Get(':name')
    read(
      @Param('name') name: string,
      @Req() request: FastifyRequest,
      @Res() reply: FastifyReply,
    ): void {
      this.assets.send(name, request, reply);
    }
  }
  return AssetsController;
};
