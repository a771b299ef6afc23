import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';

interface Loop {
  start(): void;
  stop(): Promise<void>;
}

/**
 * The loops of a worker. They start after the worker has started, and stop before the worker ends.
 */
@Injectable()
export class Loops implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops: Loop[] = [];

  add(...loops: readonly Loop[]): void {
    this.loops.push(...loops);
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
