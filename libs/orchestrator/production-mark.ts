import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Pool } from 'pg';
import { markProduction } from '#operations';

/** Marks the database that a production process works on, for every door to it. */
@Injectable()
export class ProductionMark implements OnApplicationBootstrap {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async onApplicationBootstrap(): Promise<void> {
    if (process.env['NODE_ENV'] === 'production') await markProduction(this.pool);
  }
}
