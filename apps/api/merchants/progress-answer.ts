import { ApiProperty } from '@nestjs/swagger';

class ProgressStep {
  @ApiProperty({
    example: 'documents',
    description:
      'The part of the registration: `company`, `contact`, `owners`, `representatives`, ' +
      '`documents`, `contract`, or another one of the provider’s.',
  })
  code!: string;

  @ApiProperty()
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
  @ApiProperty({ example: 'incomplete', description: 'The company’s.' })
  status!: string;

  @ApiProperty({ type: 'integer', description: 'The number of steps that are complete.' })
  percent!: number;

  @ApiProperty({ type: ProgressStep, isArray: true })
  steps!: readonly ProgressStep[];
}
