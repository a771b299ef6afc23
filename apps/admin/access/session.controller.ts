import { Body, Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Field } from '#platform';
import { CONSOLE_ORIGIN } from '../admin-config.js';
import { Answers } from '../shared/docs.js';
import { type Acting, Allow, CurrentUser } from './allow.js';
import { KnownBrowsers } from './known-browsers.js';
import { PASSWORD_CHARS } from './passwords.js';
import { browserIn, type ConsoleOrigin, setBrowser, setToken } from './session-cookie.js';
import { SessionAnswer, SessionReplies } from './session-replies.js';
import type { SignedIn } from './sessions.js';
import { SignInLimits, type Tried } from './sign-in-limits.js';
import { SignIn } from './sign-in.js';
import { Users } from './users.js';

class SignInDto {
  @Field('The user’s name.', { example: 'jane' })
  @IsString()
  @MaxLength(64)
  name!: string;

  @Field('The user’s password.', { format: 'password' })
  @IsString()
  @MaxLength(PASSWORD_CHARS.max)
  password!: string;
}

class ChangePasswordDto {
  @Field('The current password.', { format: 'password' })
  @IsString()
  @MaxLength(PASSWORD_CHARS.max)
  current!: string;

  @Field('The new password, 12 to 128 characters.', {
    format: 'password',
    minLength: PASSWORD_CHARS.min,
    maxLength: PASSWORD_CHARS.max,
  })
  @IsString()
  @MaxLength(PASSWORD_CHARS.max)
  next!: string;
}

@ApiTags('Session')
@Controller('v1')
export class SessionController {
  constructor(
    private readonly doors: SignIn,
    private readonly limits: SignInLimits,
    private readonly replies: SessionReplies,
    private readonly users: Users,
    private readonly browsers: KnownBrowsers,
    @Inject(CONSOLE_ORIGIN) private readonly at: ConsoleOrigin,
  ) {}

  @Post('session')
  @Allow('public')
  @ApiOperation({ summary: 'Sign in' })
  @Answers(
    {
      status: 201,
      location: () => '/v1/session',
      type: SessionAnswer,
      description: 'The new session.',
    },
    422,
  )
  async signIn(
    @Body() { name, password }: SignInDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    return this.begin(await this.triedBy(name, request), password, reply);
  }

  @Get('session')
  @Allow('session')
  @ApiOperation({ summary: 'Get the session' })
  @Answers({ type: SessionAnswer, description: 'The session.' })
  getSession(@CurrentUser() user: Acting): SessionAnswer {
    return this.replies.answer(user);
  }

  @Delete('session')
  @Allow('session')
  @ApiOperation({ summary: 'Sign out' })
  @Answers({ status: 204, description: 'The session has ended.' })
  async signOut(
    @CurrentUser() by: Acting,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.doors.signOut(by);
    setToken(reply, this.at, '');
  }

  @Delete('sessions')
  @Allow('identified')
  @ApiOperation({ summary: 'Sign out everywhere' })
  @Answers({ status: 204, description: 'All your sessions have ended.' })
  async signOutEverywhere(
    @CurrentUser() by: Acting,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.doors.signOutEverywhere(by);
    setToken(reply, this.at, '');
  }

  @Post('session/password')
  @Allow('identified')
  @ApiOperation({
    summary: 'Change your password',
    description: 'Ends all your sessions and begins a new session in this browser.',
  })
  @Answers({ type: SessionAnswer, description: 'The new session.' }, 422)
  async changePassword(
    @Body() { current, next }: ChangePasswordDto,
    @CurrentUser() by: Acting,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    const tried = await this.triedBy(by.name, request);
    await this.limits.count(tried);
    await this.users.changePassword(by, current, next);
    return this.begin(tried, next, reply, by);
  }

  private async triedBy(name: string, request: FastifyRequest): Promise<Tried> {
    const browser = browserIn(request, this.at);
    const isKnown = await this.browsers.knows(name, browser);
    return {
      name,
      address: request.ip,
      knownBrowser: isKnown ? browser : null,
      requestId: request.id,
    };
  }

  private async begin(
    tried: Tried,
    password: string,
    reply: FastifyReply,
    before?: Pick<SignedIn, 'gaveSecondFactor'>,
  ): Promise<SessionAnswer> {
    const { token, browser } = await this.doors.signIn(tried, password, before);
    const answer = await this.replies.begun(token, reply);
    setBrowser(reply, this.at, browser);
    return answer;
  }
}
