import { Injectable } from '@nestjs/common';
import { EventStore, type RecordedEvent, type StreamRef } from '#log';
import { Rejection } from '#kernel';
import type { Caller } from '../auth/key-verifier.js';
import { noSuch, Tenancy } from '../shared/tenancy.js';

/** Reads single events of the log, for subscribers that verify a message of a topic. */
@Injectable()
export class EventFeed {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
  ) {}

  /** Throws `Rejection` `event_not_found` when the event does not exist or is not the caller's. */
  async event(caller: Caller, stream: StreamRef, version: number): Promise<RecordedEvent> {
    await this.mustOwn(caller, stream);
    const [event] = await this.store.readStream(stream, version - 1, 1);
    if (event === undefined) throw noSuch('event');
    return event;
  }

  /** One code for every miss: it lets a subscriber distinguish it from the 404 of a wrong URL. */
  private async mustOwn(caller: Caller, { streamType, streamId }: StreamRef): Promise<void> {
    try {
      await this.tenancy[streamType](caller, streamId);
    } catch (error) {
      if (error instanceof Rejection && error.code === `${streamType}_not_found`) {
        throw noSuch('event');
      }
      throw error;
    }
  }
}
