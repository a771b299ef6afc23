import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { type Page, queryOf } from '#lists';
import { CASE_LIST } from '#operations';
import { Field } from '#platform';
import { type Acting, Allow, CurrentUser } from '../access/allow.js';
import { PAGING } from '../lists/list-controllers.js';
import { Answers } from '../shared/docs.js';
import {
  CaseAnswer,
  CaseNoteList,
  CasePage,
  CaseTotalList,
  CommentDto,
  SnoozeDto,
} from './case-answers.js';
import { Cases } from './cases.js';

class CaseQuery extends queryOf(CASE_LIST, PAGING) {}

class SubjectQuery {
  @Field('The entity whose notes are read.')
  @Matches(/^[\w.:-]{1,100}$/, { message: '$property must be an id' })
  subjectId!: string;
}

const OPEN = { type: CaseAnswer, description: 'The case.' };

@ApiTags('Cases')
@Controller('v1')
export class CasesController {
  constructor(private readonly cases: Cases) {}

  @Get('cases')
  @Allow('viewer', { narrowed: true })
  @ApiOperation({
    summary: 'Open cases, the most urgent first',
    description:
      'A case is open as long as its cause: it is read from the payments, jobs, workflows, breaks, ' +
      'merchants and webhook endpoints. Cases of one kind with the same reason and origin that began ' +
      'within an hour of each other are one incident.',
  })
  @Answers({ type: CasePage, description: 'A page of cases.' }, 422)
  listCases(@Query() query: CaseQuery): Promise<Page> {
    return this.cases.page(query);
  }

  @Get('case-totals')
  @Allow('viewer', { narrowed: true })
  @ApiOperation({ summary: 'The number of open cases and the money at risk, by kind' })
  @Answers({ type: CaseTotalList, description: 'The totals.' })
  listCaseTotals(): Promise<CaseTotalList> {
    return this.cases.totals();
  }

  @Get('cases/:id')
  @Allow('viewer', { narrowed: true })
  @ApiOperation({ summary: 'Get a case and what people did about it' })
  @Answers(OPEN, 404)
  getCase(@Param('id') id: string): Promise<CaseAnswer> {
    return this.cases.get(id);
  }

  @Get('case-notes')
  @Allow('viewer', { narrowed: true })
  @ApiOperation({
    summary: 'What people added to the cases of an entity',
    description: 'The notes of closed cases remain.',
  })
  @Answers({ type: CaseNoteList, description: 'The notes.' }, 422)
  listCaseNotes(@Query() { subjectId }: SubjectQuery): Promise<CaseNoteList> {
    return this.cases.notesOf(subjectId);
  }

  @Post('cases/:id/take')
  @Allow('operator', { narrowed: true })
  @ApiOperation({ summary: 'Become the owner of an open case' })
  @Answers(OPEN, 404)
  takeCase(@Param('id') id: string, @CurrentUser() by: Acting): Promise<CaseAnswer> {
    return this.cases.add(id, { kind: 'owner', ownerId: by.userId }, by);
  }

  @Post('cases/:id/release')
  @Allow('operator', { narrowed: true })
  @ApiOperation({ summary: 'Remove the owner of an open case' })
  @Answers(OPEN, 404)
  releaseCase(@Param('id') id: string, @CurrentUser() by: Acting): Promise<CaseAnswer> {
    return this.cases.add(id, { kind: 'owner', ownerId: null }, by);
  }

  @Post('cases/:id/comments')
  @Allow('operator', { narrowed: true })
  @ApiOperation({ summary: 'Comment on an open case' })
  @Answers(OPEN, 404, 422)
  commentCase(
    @Param('id') id: string,
    @Body() { text }: CommentDto,
    @CurrentUser() by: Acting,
  ): Promise<CaseAnswer> {
    return this.cases.add(id, { kind: 'comment', text }, by);
  }

  @Post('cases/:id/snooze')
  @Allow('operator', { narrowed: true })
  @ApiOperation({ summary: 'Hide an open case until a time, or show it again' })
  @Answers(OPEN, 404, 422)
  snoozeCase(
    @Param('id') id: string,
    @Body() { until, reason: text }: SnoozeDto,
    @CurrentUser() by: Acting,
  ): Promise<CaseAnswer> {
    return this.cases.add(id, { kind: 'snooze', until: until ?? null, text }, by);
  }
}
