import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';

/** Reports the next due instant to the clock, so that it need not poll. */
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
