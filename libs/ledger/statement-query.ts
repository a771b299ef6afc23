import { ApiProperty } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import { OneOf } from '#platform';
import { ACCOUNT_MODES, type AccountMode } from '#psp';
import type { StatementKey } from './statement-reads.js';

type Constructor<Base> = new (...args: never[]) => Base;

/** Adds the query parameters that name a statement. */
export const ofStatement = <Base extends object>(Other: Constructor<Base>) => {
  class StatementQuery extends (Other as Constructor<object>) implements StatementKey {
    @ApiProperty({ description: 'The merchant whose statement is read.', example: 'merchant-7' })
    @Matches(/^[\w-]{1,64}$/, {
      message: '$property must be 1 to 64 letters, digits, underscores or hyphens',
    })
    merchantId!: string;

    @OneOf(ACCOUNT_MODES, 'The mode of the merchant’s provider accounts.')
    @IsIn(ACCOUNT_MODES)
    mode!: AccountMode;

    @ApiProperty({ description: 'The month, in UTC.', example: '2026-03' })
    @Matches(/^(?:19|2\d)\d\d-(?:0[1-9]|1[0-2])$/, {
      message: '$property must be a month such as 2026-03',
    })
    month!: string;
  }
  return StatementQuery as Constructor<Base & StatementKey>;
};
