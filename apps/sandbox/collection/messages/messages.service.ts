import { Injectable } from '@nestjs/common';
import { Database } from '../../storage/database.js';
import { type Message, messageResource } from './message-resource.js';
import type { MessageRow } from './message-row.js';

const NEWEST = {
  name: 'messages:newest',
  text: 'SELECT * FROM messages ORDER BY created_at DESC, seq DESC LIMIT 100',
};
const OF_INTENT = {
  name: 'messages:of-intent',
  text: `SELECT * FROM messages WHERE intent_id = $1 ORDER BY created_at DESC, seq DESC LIMIT 100`,
};
/**
 * Selects messages of test payments only, because anyone who knows the URL of the payment page can
 * read these messages.
 */
const OF_TEST_INTENT = {
  name: 'messages:of-test-intent',
  text: `SELECT * FROM messages WHERE intent_id = $1 AND NOT live
         ORDER BY created_at DESC, seq DESC LIMIT 100`,
};

/** Reads the text messages to payers, newest first. */
@Injectable()
export class Messages {
  constructor(private readonly database: Database) {}

  async newest(): Promise<Message[]> {
    return (await this.database.query<MessageRow>(NEWEST)).map(messageResource);
  }

  async ofIntent(intentId: string): Promise<Message[]> {
    return (await this.database.query<MessageRow>(OF_INTENT, [intentId])).map(messageResource);
  }

  async ofTestIntent(intentId: string): Promise<Message[]> {
    return (await this.database.query<MessageRow>(OF_TEST_INTENT, [intentId])).map(messageResource);
  }
}
