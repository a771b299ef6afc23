import { Body, Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Field, Nullable } from '#platform';
import { CONSOLE_ORIGIN } from '../admin-config.js';
import { Answers } from '../shared/docs.js';
import { Allow } from './allow.js';
import { IdentityProvider } from './identity-provider.js';
import { ProviderSignIn, SIGN_IN_SECONDS } from './provider-sign-in.js';
import { type ConsoleOrigin, setSignIn, signInIn } from './session-cookie.js';
import { SessionAnswer, SessionReplies } from './session-replies.js';

const MAX_QUERY_CHARS = 8_192;

/** The identity provider at which users may sign in. */
class IdentityProviderAnswer {
  @Nullable(String, 'The provider’s name for the sign-in page; null: users sign in by password.', {
    example: 'Staff login',
  })
  label!: string | null;
}

class BegunSignInAnswer {
  @Field('The address of the identity provider at which the browser signs in.', {
    example: 'https://login.example/authorize?client_id=console',
  })
  url!: string;
}

class ConfirmSignInDto {
  @Field('The query with which the identity provider returned the browser to the console.', {
    example: '?code=Zm9v&state=YmFy',
  })
  @IsString()
  @MaxLength(MAX_QUERY_CHARS)
  query!: string;
}

@ApiTags('Session')
@Controller('v1/session/identity-provider')
export class IdentityProviderController {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly doors: ProviderSignIn,
    private readonly replies: SessionReplies,
    @Inject(CONSOLE_ORIGIN) private readonly at: ConsoleOrigin,
  ) {}

  @Get()
  @Allow('public')
  @ApiOperation({ summary: 'Get the identity provider' })
  @Answers({ type: IdentityProviderAnswer, description: 'The identity provider.' })
  getIdentityProvider(): IdentityProviderAnswer {
    return { label: this.provider.label };
  }

  @Post('begin')
  @Allow('public')
  @ApiOperation({
    summary: 'Begin to sign in by the identity provider',
    description: 'Sets a cookie, without which the sign-in cannot be confirmed.',
  })
  @Answers({ type: BegunSignInAnswer, description: 'Where to sign in.' }, 404)
  async beginProviderSignIn(
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BegunSignInAnswer> {
    const { url, begun } = await this.doors.begin();
    setSignIn(reply, this.at, begun, SIGN_IN_SECONDS);
    return { url };
  }

  @Post('confirm')
  @Allow('public', { random: ['query'] })
  @ApiOperation({
    summary: 'Confirm a sign-in by the identity provider',
    description: 'Begins a new session. Each sign-in that was begun can be confirmed once.',
  })
  @Answers(
    {
      status: 201,
      location: () => '/v1/session',
      type: SessionAnswer,
      description: 'The new session.',
    },
    404,
  )
  async confirmProviderSignIn(
    @Body() { query }: ConfirmSignInDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    const begun = signInIn(request, this.at);
    setSignIn(reply, this.at, '', 0);
    const from = { address: request.ip, requestId: request.id };
    return this.replies.begun(await this.doors.confirm(query, begun, from), reply);
  }
}
