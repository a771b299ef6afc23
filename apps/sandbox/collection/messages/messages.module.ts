import { Module } from '@nestjs/common';
import { Messages } from './messages.service.js';

/** Text messages to payers. */
@Module({ providers: [Messages], exports: [Messages] })
export class MessagesModule {}
