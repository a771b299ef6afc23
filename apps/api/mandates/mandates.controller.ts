import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from '../shared/docs.js';
import { PAGE, PageLength } from '../shared/page.js';
import { type KnownMandate, Mandates } from './mandates.js';

class MandateFilter extends PageLength {
  @ApiPropertyOptional()
  @IsOptional()
  @Matches(/^[\w-]{1,64}$/, {
    message: '$property must be 1 to 64 letters, digits, underscores or hyphens',
  })
  merchantId?: string;

  @ApiPropertyOptional({ description: '`nextCursor` of the page before.' })
  @IsOptional()
  @Matches(/^sepa_[A-Za-z0-9]{1,64}$/, { message: '$property is not one that a page gave' })
  cursor?: string;
}

class MandateAnswer {
  @ApiProperty({
    example: 'sepa_3xKq0Zb7Yw2m4c9NfTgV1hJa', description: 'The `mandateId` of orders.',
  })
  id!: string;

  @ApiProperty({ description: 'For whom it was signed: no other merchant may use it.' })
  merchantId!: string;

  @ApiProperty({ enum: ['test', 'live'] })
  mode!: 'test' | 'live';

  @ApiProperty({ description: 'The order with which the payer signed it.' })
  firstOrderId!: string;

  @ApiProperty({
    type: 'integer', description: 'How often it was debited, returned debits included.',
  })
  debits!: number;

  @ApiProperty({ format: 'date-time' })
  firstDebitAt!: string;

  @ApiProperty({ format: 'date-time' })
  lastDebitAt!: string;
}

class MandatePage {
  @ApiProperty({ type: MandateAnswer, isArray: true })
  items!: readonly MandateAnswer[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

const answerOf = ({ firstDebitAt, lastDebitAt, ...mandate }: KnownMandate): MandateAnswer => ({
  ...mandate,
  firstDebitAt: firstDebitAt.toISOString(),
  lastDebitAt: lastDebitAt.toISOString(),
});

@ApiTags('Mandates')
@Controller('v1/mandates')
export class MandatesController {
  constructor(private readonly mandates: Mandates) {}

  @Get()
  @Allow('payments:read')
  @ApiOperation({
    summary: 'List the mandates that were signed', operationId: 'listMandates',
    description:
      'A payer who pays an order by direct debit signs a mandate. Name its id as `mandateId` ' +
      'of a later order, and that order is debited with no payer present. A mandate shows here ' +
      'a moment after its first debit was accepted; whether the payer has revoked it since, the ' +
      'provider says when it is debited.',
  })
  @Answers(
    { status: 200, type: MandatePage, description: 'Mandates, by their id.' }, 'validation_failed',
  )
  async list(
    @Query() { merchantId, cursor, limit = PAGE }: MandateFilter,
    @CurrentCaller() { platformId }: Caller,
  ): Promise<MandatePage> {
    const search = { merchantId: merchantId ?? null, after: cursor ?? null, limit: limit + 1 };
    const found = await this.mandates.list(platformId, search);
    const items = found.slice(0, limit).map(answerOf);
    return { items, nextCursor: found.length > limit ? items.at(-1)?.id ?? null : null };
  }
}
