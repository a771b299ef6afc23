import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';

/** Of every change that a person makes: why. */
export class ReasonDto {
  @ApiProperty({
    minLength: 3, maxLength: 500, description: 'Kept in the audit for ever: name no person.',
  })
  @Matches(/^\S.{1,498}\S$/s, { message: '$property must say why, in 3 to 500 characters' })
  reason!: string;
}
