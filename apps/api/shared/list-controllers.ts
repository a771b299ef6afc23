import { Controller, Get, Query, Res, type Type } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import {
  type FileFormat,
  fileQueryOf,
  itemOf,
  type List,
  Lists,
  ofPlatform,
  type Page,
  pageOf,
  type Paging,
  queryOf,
  sendFile,
} from '#lists';
import type { Scope } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from './docs.js';

export const PAGING: Paging = { usual: 20, most: 100 };
export const FORMATS = ['csv', 'json'] as const satisfies readonly FileFormat[];

interface Shown {
  readonly tag: string;
  readonly scope: Scope;
  /** The URL path below /v1. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** The class of a row of a page; undefined if the rows have no class. */
  readonly item?: Type<object>;
  /** The list and row class of a downloaded file, if the file's rows differ from a page's rows. */
  readonly line?: { readonly list: List; readonly item: Type<object> };
}

/** The two routes of a platform's list: one page of the list, and the whole list as a file. */
export const listController = (list: List, shown: Shown): Type => {
  const { tag, scope, path, summary, description } = shown;
  const item = shown.item ?? itemOf(list);
  const line = shown.line ?? { list, item };
  const page = pageOf(list, item);
  class PageQuery extends queryOf(list, PAGING) {}
  class AllQuery extends fileQueryOf(list, FORMATS) {}

  @ApiTags(tag)
  @Controller(`v1/${path}`)
  class ListController {
    constructor(private readonly lists: Lists) {}

    @Get()
    @Allow(scope)
    @ApiOperation({
      summary,
      operationId: `list${list.items}`,
      ...(description !== undefined && { description }),
    })
    @Answers({ type: page, description: 'A page of your rows.' }, 'validation_failed')
    page(@Query() query: PageQuery, @CurrentCaller() { platformId }: Caller): Promise<Page> {
      return this.lists.page(list, ofPlatform(list, platformId), query, PAGING.usual);
    }

    @Get('export')
    @Allow(scope)
    @ApiOperation({
      summary: 'Download all rows that match the filters',
      operationId: `export${list.items}`,
    })
    @Answers(
      { rows: line.item, description: 'CSV with a header row, or a JSON array.' },
      'validation_failed',
    )
    async all(
      @Query() { format, ...query }: AllQuery,
      @CurrentCaller() { platformId }: Caller,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      const rows = await this.lists.all(line.list, ofPlatform(line.list, platformId), query);
      await sendFile(reply, format, line.list, rows);
    }
  }
  return ListController;
};
