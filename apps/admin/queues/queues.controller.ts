import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';
import { ConsumerLag } from './consumer-lag.js';
import { ParkedList, QueuesAnswer, StuckList } from './queue-answers.js';
import { Queues } from './queues.js';

@ApiTags('Queues')
@Controller('v1')
export class QueuesController {
  constructor(private readonly queues: Queues, private readonly consumerLag: ConsumerLag) {}

  @Get('queues')
  @Allow('viewer')
  @ApiOperation({ summary: 'What waits, and how long it has waited', operationId: 'getQueues' })
  @Answers({ status: 200, type: QueuesAnswer, description: 'All queues.' })
  async all(): Promise<QueuesAnswer> {
    const { queues } = this;
    const [cursors, consumers, calls, webhooks, deadlines, oldestTransaction] = await Promise.all([
      queues.cursors(), this.consumerLag.read(), queues.calls(), queues.webhooks(),
      queues.deadlines(), queues.oldestTransaction(),
    ]);
    return {
      cursors: cursors.map(({ movedAt, ...cursor }) => ({
        ...cursor, movedAt: movedAt.toISOString(),
      })),
      consumers, calls, webhooks, oldestTransaction,
      deadlines: deadlines.map(({ nextAt, ...deadline }) => ({
        ...deadline, nextAt: nextAt?.toISOString() ?? null,
      })),
    };
  }

  @Get('parked-keys')
  @Allow('viewer')
  @ApiOperation({
    summary: 'Streams that a consumer cannot get past', operationId: 'listParkedKeys',
  })
  @Answers({ status: 200, type: ParkedList, description: 'All of them.' })
  async parked(): Promise<ParkedList> {
    return { items: await this.queues.parked() };
  }

  @Get('stuck-calls')
  @Allow('viewer')
  @ApiOperation({
    summary: 'Calls to the provider that need a person', operationId: 'listStuckCalls',
  })
  @Answers({ status: 200, type: StuckList, description: 'All of them.' })
  async stuck(): Promise<StuckList> {
    return { items: await this.queues.stuck() };
  }
}
