import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Pool } from 'pg';
import { agreeOnProduction } from '#platform';

/** Before the process does anything, it agrees with its database on whether this is production. */
@Injectable()
export class ProductionMark implements OnModuleInit {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  onModuleInit(): Promise<void> {
    return agreeOnProduction(this.pool);
  }
}
