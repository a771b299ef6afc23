import { ApiProperty } from '@nestjs/swagger';

/** An owner or a representative, by its id at the provider. Who it is: see the details. */
export class HeadAnswer {
  @ApiProperty({
    example: 'pers_3xKq0Zb7Yw2m4c9NfTgV1hJa',
    description: '`pers_…`; of a legal person `comp_…`.',
  })
  id!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Yours, or one that was made for it.' })
  reference!: string | null;
}
