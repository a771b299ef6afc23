import { Body, Controller, Inject, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { Field } from '#platform';
import { CONSOLE_ORIGIN } from '../admin-config.js';
import { Answers } from '../shared/docs.js';
import { type Acting, Allow, CurrentUser } from './allow.js';
import { SecondFactors } from './second-factors.js';
import type { ConsoleOrigin } from './session-cookie.js';
import { MAX_CODE_CHARS, ProofDto, SecondFactorAnswer } from './second-factor.dto.js';
import { SessionAnswer, SessionReplies } from './session-replies.js';
import { otpauthUri } from './totp.js';

class ConfirmSecondFactorDto {
  @Field('Six digits that the authenticator app shows for the new secret.', { example: '492039' })
  @IsString()
  @MaxLength(MAX_CODE_CHARS)
  code!: string;
}

/** A new second factor that awaits its first code. */
class NewSecondFactorAnswer {
  @Field('The secret for the authenticator app, in base32; shown once.', {
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  secret!: string;

  @Field('The same as an otpauth URI, to be shown as a QR code.', {
    example: 'otpauth://totp/console.example:jane?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  uri!: string;
}

@ApiTags('Session')
@Controller('v1/session/second-factor')
export class SecondFactorController {
  constructor(
    private readonly factors: SecondFactors,
    private readonly replies: SessionReplies,
    @Inject(CONSOLE_ORIGIN) private readonly at: ConsoleOrigin,
  ) {}

  @Post()
  @Allow('session', { random: ['key'] })
  @ApiOperation({
    summary: 'Give your second factor',
    description: 'Begins a new session in this browser, which has the rights of your role.',
  })
  @Answers({ type: SessionAnswer, description: 'The new session.' }, 409, 422)
  async giveSecondFactor(
    @Body() proof: ProofDto,
    @CurrentUser() by: Acting,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    return this.replies.begun(await this.factors.give(by, proof), reply);
  }

  @Post('begin')
  @Allow('identified', { random: ['key'] })
  @ApiOperation({
    summary: 'Begin to set up an authenticator app',
    description: 'The current app remains valid until the new one is confirmed.',
  })
  @Answers({ type: NewSecondFactorAnswer, description: 'The secret.' }, 422)
  async beginSecondFactor(
    @Body() proof: ProofDto,
    @CurrentUser() by: Acting,
  ): Promise<NewSecondFactorAnswer> {
    const secret = await this.factors.begin(by, proof);
    return { secret, uri: otpauthUri(secret, new URL(this.at.origin).host, by.name) };
  }

  @Post('confirm')
  @Allow('identified')
  @ApiOperation({
    summary: 'Confirm an authenticator app',
    description: 'Ends all your sessions and begins a new session in this browser.',
  })
  @Answers({ type: SecondFactorAnswer, description: 'The recovery codes.' }, 409, 422)
  async confirmSecondFactor(
    @Body() { code }: ConfirmSecondFactorDto,
    @CurrentUser() by: Acting,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SecondFactorAnswer> {
    const { token, recoveryCodes } = await this.factors.confirm(by, code);
    return { recoveryCodes, session: await this.replies.begun(token, reply) };
  }
}
