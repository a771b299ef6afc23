import { Controller, Get, Query } from '@nestjs/common';
import { checkedQuery } from '../../api/checked.js';
import { idPattern } from '../../api/ids.js';
import { Messages } from './messages.service.js';

interface MessagesQuery {
  readonly payment_intent?: string;
}

const messagesQuery = checkedQuery<MessagesQuery>({
  payment_intent: { type: 'string', pattern: idPattern('pi') },
});

/**
 * The sandbox's message inbox: `{"messages": [...]}`, the newest 100, or those of one payment
 * intent. The inbox contains codes, so it exists only where the control routes are enabled.
 */
@Controller('sandbox/messages')
export class MessagesController {
  constructor(private readonly messages: Messages) {}

  @Get()
  async list(@Query() query: unknown) {
    const { payment_intent: intentId } = messagesQuery.read({ ...(query as object) });
    const found =
      intentId === undefined ? this.messages.newest() : this.messages.ofIntent(intentId);
    return { messages: await found };
  }
}
