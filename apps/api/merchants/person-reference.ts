import { ApiProperty } from '@nestjs/swagger';

/**
 * The id of an owner or representative at the provider; personal data is only in the merchant's
 * details.
 */
export class PersonReference {
  @ApiProperty({
    example: 'pers_3xKq0Zb7Yw2m4c9NfTgV1hJa',
    description: '`pers_…`, or `comp_…` for a legal person.',
  })
  id!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Your reference, or a generated one.' })
  reference!: string | null;
}
