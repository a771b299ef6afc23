import { ApiProperty } from '@nestjs/swagger';
import { Field, Integer, ListOf } from '#platform';

class ProgressStep {
  @Field(
    'The part of the registration: `company`, `contact`, `owners`, `representatives`, ' +
      '`documents`, `contract`, or another one of the provider’s.',
    { example: 'documents' },
  )
  code!: string;

  @Field()
  complete!: boolean;

  @ApiProperty({
    type: String,
    isArray: true,
    example: [
      'documents.registration_extract',
      'documents.identity_card.pers_3xKq0Zb7Yw2m4c9NfTgV1hJa',
    ],
  })
  missing!: readonly string[];
}

/** The progress of a registration at the provider. */
export class ProgressAnswer {
  @Field('The status of the company.', { example: 'incomplete' })
  status!: string;

  @Integer('The completed share of the registration, in percent.')
  percent!: number;

  @ListOf(ProgressStep)
  steps!: readonly ProgressStep[];
}
