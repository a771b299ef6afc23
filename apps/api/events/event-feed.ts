import { Injectable } from '@nestjs/common';
import { EventStore, type RecordedEvent, type StreamRef } from '#log';
import { Rejection } from '#kernel';
import type { Caller } from '../auth/key-verifier.js';
import { noSuch, Tenancy } from '../shared/tenancy.js';

/** The log, an event at a time, for those who check what a message on a topic says. */
@Injectable()
export class EventFeed {
  constructor(
    private readonly store: EventStore,
    private readonly tenancy: Tenancy,
  ) {}

  /** Throws `Rejection` `event_not_found` for what does not exist and what is not the caller's. */
  async event(caller: Caller, stream: StreamRef, version: number): Promise<RecordedEvent> {
    await this.mustOwn(caller, stream);
    const [event] = await this.store.readStream(stream, version - 1, 1);
    if (event === undefined) throw noSuch('event');
    return event;
  }

  /** One code for every miss: a subscriber must know our 404 from that of a wrong address. */
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
