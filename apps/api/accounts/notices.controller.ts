import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from '../shared/docs.js';
import { PageFilter } from '../shared/page.js';
import { NoticePage, Notices } from './notices.js';

@ApiTags('Provider accounts')
@Controller('v1/notices')
export class NoticesController {
  constructor(private readonly notices: Notices) {}

  @Get()
  @Allow('accounts:read')
  @ApiOperation({
    summary: 'List what changed of where your merchants’ money goes', operationId: 'listNotices',
    description: 'Newest first. The same is published on the topic of provider accounts.',
  })
  @Answers(
    { status: 200, type: NoticePage, description: 'A page of notices.' }, 'validation_failed')
  list(@CurrentCaller() caller: Caller, @Query() filter: PageFilter): Promise<NoticePage> {
    return this.notices.list(caller, filter);
  }
}
