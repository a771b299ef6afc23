import { Controller, Get, Inject, Post, Query, Res, type Type } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { Pool } from 'pg';
import {
  EVERYTHING,
  type FileFormat,
  fileQuery,
  itemOf,
  type List,
  Lists,
  type Page,
  pageOf,
  type Paging,
  queryOf,
  selectedQueryOf,
  sendFile,
} from '#lists';
import { recordAudit } from '#operations';
import { type Acting, Allow, CurrentUser } from '../access/allow.js';
import type { Role } from '../access/role.js';
import { auditedQuery } from '../exports/audited-query.js';
import { ExportAnswer } from '../exports/export-answer.js';
import { type Export, Exports } from '../exports/exports.js';
import { Answers } from '../shared/docs.js';
import { withFixedMode } from './mode.js';

export const PAGING: Paging = { usual: 50, most: 200 };

interface ListOptions {
  /** The roles that may download the list, by format. */
  readonly files?: Readonly<Partial<Record<Format, Role>>>;
  /** Whether limited users may read the list, narrowed to what they may see; default: true. */
  readonly narrowed?: boolean;
}

const pageController = (list: List, tag: string, summary: string, narrowed: boolean): Type => {
  class PageQuery extends queryOf(list, PAGING) {}
  const page = pageOf(list, itemOf(list));

  @ApiTags(tag)
  @Controller('v1')
  class PageController {
    constructor(private readonly lists: Lists) {}

    @Get(list.name)
    @Allow('viewer', { narrowed })
    @ApiOperation({ summary, operationId: `list${list.items}` })
    @Answers({ type: page, description: 'A page of the list.' }, 422)
    read(@Query() query: PageQuery): Promise<Page> {
      return this.lists.page(list, EVERYTHING, query, PAGING.usual);
    }
  }
  return PageController;
};

const MEDIA_TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

type Format = Extract<FileFormat, keyof typeof MEDIA_TYPES>;

const fileController = (
  list: List,
  tag: string,
  format: Format,
  role: Role,
  narrowed: boolean,
): Type => {
  class FileQuery extends selectedQueryOf(list) {}

  @ApiTags(tag)
  @Controller('v1')
  class FileController {
    constructor(
      @Inject(Pool) private readonly pool: Pool,
      private readonly lists: Lists,
    ) {}

    @Get(`${list.name}.${format}`)
    @Allow(role, { narrowed })
    @ApiOperation({
      summary: `${list.items} as a file: ${format}`,
      operationId: `export${list.items}${format === 'csv' ? 'Csv' : 'Json'}`,
    })
    @Answers({ mediaTypes: [MEDIA_TYPES[format]], description: 'All matching rows.' }, 422)
    async read(
      @Query() query: FileQuery,
      @CurrentUser() by: Acting,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      const file = fileQuery(list, query);
      const rows = await this.lists.all(list, EVERYTHING, file);
      await recordAudit(this.pool, by, {
        action: `${list.name}.exported`,
        subject: null,
        detail: { ...auditedQuery(file), format },
      });
      await sendFile(reply, format, list, rows);
    }
  }
  return FileController;
};

const exportController = (list: List, tag: string, role: Role): Type => {
  class ExportQuery extends selectedQueryOf(list) {}

  @ApiTags(tag)
  @Controller('v1')
  class ExportController {
    constructor(
      private readonly exports: Exports,
      @Inject(Pool) private readonly pool: Pool,
    ) {}

    @Post(`${list.name}/exports`)
    @Allow(role)
    @ApiOperation({
      summary: `Export ${list.items} as CSV in the background`,
      description: 'The file has all matching rows, at most a million, and is kept for seven days.',
      operationId: `request${list.items}Export`,
    })
    @Answers({ type: ExportAnswer, status: 202, description: 'The export has begun.' }, 409, 422)
    async request(@Query() query: ExportQuery, @CurrentUser() by: Acting): Promise<Export> {
      const fixed = await withFixedMode(this.pool, fileQuery(list, query));
      return this.exports.request(list.name, fixed, by);
    }
  }
  return ExportController;
};

/** The routes of a list: its pages, and downloads for users with a certain role. */
export const listControllers = (
  list: List,
  tag: string,
  summary: string,
  { files = {}, narrowed = true }: ListOptions = {},
): readonly Type[] => [
  pageController(list, tag, summary, narrowed),
  ...Object.entries(files).map(([format, role]) =>
    fileController(list, tag, format as Format, role, narrowed),
  ),
  ...(files.csv === undefined ? [] : [exportController(list, tag, files.csv)]),
];
