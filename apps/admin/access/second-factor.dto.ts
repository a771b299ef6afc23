import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { Field } from '#platform';
import { SessionAnswer } from './session-replies.js';

export const MAX_CODE_CHARS = 40;
export const MAX_KEY_CHARS = 16_384;

/** A proof of the user's second factor: a code, or the answer of a security key. */
export class ProofDto {
  @Field('Six digits of the authenticator app, or an unused recovery code.', {
    example: '492039',
    required: false,
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_CODE_CHARS)
  code?: string;

  @Field('The answer of a security key to a challenge: the credential’s toJSON() as text.', {
    example: '{"id":"Zm9v"}',
    required: false,
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_KEY_CHARS)
  key?: string;
}

/** A second factor that was set up. */
export class SecondFactorAnswer {
  @ApiProperty({
    type: String,
    isArray: true,
    description:
      'Each proves the second factor once. Shown once; empty if the former codes remain valid.',
    example: ['k4xw-2mzq-7hbd-eo5n'],
  })
  recoveryCodes!: readonly string[];

  @ApiProperty({ type: SessionAnswer, description: 'The new session.' })
  session!: SessionAnswer;
}
