import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';
import { FailedReactionList, QueuesAnswer, StuckList } from './queue-answers.js';
import { Queues } from './queues.js';

@ApiTags('Queues')
@Controller('v1')
export class QueuesController {
  constructor(private readonly queues: Queues) {}

  @Get('queues')
  @Allow('viewer')
  @ApiOperation({ summary: 'What waits, and how long it has waited', operationId: 'getQueues' })
  @Answers({ status: 200, type: QueuesAnswer, description: 'All queues.' })
  async all(): Promise<QueuesAnswer> {
    const { queues } = this;
    const [cursors, calls, webhooks, deadlines, oldestTransaction] = await Promise.all([
      queues.cursors(),
      queues.calls(),
      queues.webhooks(),
      queues.deadlines(),
      queues.oldestTransaction(),
    ]);
    return { cursors, calls, webhooks, deadlines, oldestTransaction };
  }

  @Get('failed-reactions')
  @Allow('viewer')
  @ApiOperation({
    summary: 'Workflows that could not react, retried or blocked',
    operationId: 'listFailedReactions',
  })
  @Answers({ status: 200, type: FailedReactionList, description: 'All of them.' })
  async failedReactions(): Promise<FailedReactionList> {
    return { items: await this.queues.failedReactions() };
  }

  @Get('stuck-calls')
  @Allow('viewer')
  @ApiOperation({
    summary: 'Calls to the provider that need a person',
    operationId: 'listStuckCalls',
  })
  @Answers({ status: 200, type: StuckList, description: 'All of them.' })
  async stuck(): Promise<StuckList> {
    return { items: await this.queues.stuck() };
  }
}
