import { Readable } from 'node:stream';
import { Controller, Delete, Get, Inject, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { Problem } from '#platform';
import { type Acting, Allow, CurrentUser } from '../access/allow.js';
import { isAtLeast } from '../access/role.js';
import { Answers } from '../shared/docs.js';
import { ExportList } from './export-answer.js';
import { EXPORTED_LISTS, type ExportedLists } from './exported-lists.js';
import { Exports } from './exports.js';

@ApiTags('Exports')
@Controller('v1/exports')
export class ExportsController {
  constructor(
    private readonly exports: Exports,
    @Inject(EXPORTED_LISTS) private readonly exported: ExportedLists,
  ) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'The exports that you requested in the last seven days' })
  @Answers({ type: ExportList, description: 'Your exports, newest first.' })
  async listExports(@CurrentUser() by: Acting): Promise<ExportList> {
    return { items: await this.exports.of(by) };
  }

  @Get(':id/file')
  @Allow('viewer')
  @ApiOperation({
    summary: 'The file of an export',
    description: 'Only for the user who requested it, with the role that the list requires.',
    operationId: 'downloadExport',
  })
  @Answers({ mediaTypes: ['text/csv'], description: 'All rows that matched.' }, 404, 409)
  async file(
    @Param('id') id: string,
    @CurrentUser() by: Acting,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { list, state, bytes } = await this.exports.get(id, by);
    const role = this.exported[list]?.role ?? 'admin';
    if (!isAtLeast(by.role, role)) {
      throw new Problem(403, 'role_missing', `this requires the role ${role}`);
    }
    if (state !== 'ready') {
      throw new Problem(409, 'export_not_ready', 'the file is not complete: wait for its end');
    }
    await reply
      .header('content-disposition', `attachment; filename="${list}.csv"`)
      .header('content-length', bytes)
      .type('text/csv; charset=utf-8')
      .send(Readable.from(this.exports.textOf(id), { objectMode: false }));
  }

  @Delete(':id')
  @Allow('viewer')
  @ApiOperation({ summary: 'Delete an export, also one in progress' })
  @Answers({ status: 204, description: 'Deleted.' }, 404)
  deleteExport(@Param('id') id: string, @CurrentUser() by: Acting): Promise<void> {
    return this.exports.delete(id, by);
  }
}
