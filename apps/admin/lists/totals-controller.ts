import { Controller, Get, Query, type Type } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { EVERYTHING, filtersQueryOf, type List, Lists, MAX_TOTALED, type Totals } from '#lists';
import { Field, Integer } from '#platform';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';

class CurrencyTotalsAnswer {
  @Field('The ISO code of the currency, in lower case.', { example: 'eur' })
  currency!: string;

  @Integer('The number of rows in this currency.', { example: 42 })
  rows!: number;

  @Integer('The sum of their amounts, in minor units.', { example: 52_500 })
  amountMinor!: number;
}

class TotalsAnswer {
  @ApiProperty({
    type: [CurrencyTotalsAnswer],
    nullable: true,
    description: `By currency, in the order of the codes; null: there are more than ${MAX_TOTALED} rows.`,
  })
  currencies!: readonly CurrencyTotalsAnswer[] | null;
}

/** The route that adds up the amounts of all rows of a list that match its filters. */
export const totalsController = (list: List, tag: string): Type => {
  class FiltersQuery extends filtersQueryOf(list) {}

  @ApiTags(tag)
  @Controller('v1')
  class TotalsController {
    constructor(private readonly lists: Lists) {}

    @Get(`${list.name}/totals`)
    @Allow('viewer', { narrowed: true })
    @ApiOperation({
      summary: `${list.items}: their number and the sum of their amounts`,
      operationId: `total${list.items}`,
    })
    @Answers({ type: TotalsAnswer, description: 'The totals of all matching rows.' }, 422)
    read(@Query() query: FiltersQuery): Promise<Totals> {
      return this.lists.totals(list, EVERYTHING, query);
    }
  }
  return TotalsController;
};
