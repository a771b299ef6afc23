import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';

/** Reports new due instants to the clock, so that the clock need not poll the database. */
@Injectable()
export class Wake {
  private listener: (at: Instant) => void = () => {};

  listen(listener: (at: Instant) => void): void {
    this.listener = listener;
  }

  at(at: Instant | null): void {
    if (at !== null) this.listener(at);
  }
}
