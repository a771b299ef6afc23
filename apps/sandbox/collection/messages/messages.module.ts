import { Module } from '@nestjs/common';
import { Messages } from './messages.service.js';

/** Stores the text messages sent to payers. */
@Module({ providers: [Messages], exports: [Messages] })
export class MessagesModule {}
