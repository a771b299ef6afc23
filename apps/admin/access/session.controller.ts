import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { assert } from '#kernel';
import { CONSOLE_ORIGIN } from '../admin-config.js';
import { AuditedBy, type AuditOrigin } from '../shared/audit.js';
import { Answers } from '../shared/docs.js';
import { Allow, CurrentUser, TakesCsrfToken } from './allow.js';
import { KnownBrowsers } from './known-browsers.js';
import { PASSWORD_CHARS } from './passwords.js';
import { type Role, ROLES } from './role.js';
import { browserIn, type ConsoleOrigin, setBrowser, setToken } from './session-cookie.js';
import { csrfTokenOf, IDLE_MINUTES, Sessions, type SignedIn } from './sessions.js';
import { SignInLimits, type Tried } from './sign-in-limits.js';
import { SignIn } from './sign-in.js';
import { Users } from './users.js';

class SignInDto {
  @ApiProperty({ example: 'jane' })
  @IsString()
  @MaxLength(64)
  name!: string;

  @ApiProperty({ format: 'password' })
  @IsString()
  @MaxLength(PASSWORD_CHARS.max)
  password!: string;
}

class ChangePasswordDto {
  @ApiProperty({ format: 'password' })
  @IsString()
  @MaxLength(PASSWORD_CHARS.max)
  current!: string;

  @ApiProperty({ format: 'password', minLength: PASSWORD_CHARS.min, maxLength: PASSWORD_CHARS.max })
  @IsString()
  @MaxLength(PASSWORD_CHARS.max)
  next!: string;
}

/** Who is signed in here. */
class SessionAnswer {
  @ApiProperty()
  userId!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role' })
  role!: Role;

  @ApiProperty({ description: 'The one-time password must be changed before anything else.' })
  mustChangePassword!: boolean;

  @ApiProperty({ description: 'To send as X-CSRF-Token with each change.' })
  csrfToken!: string;

  @ApiProperty({ format: 'date-time', description: 'When the session ends in any case.' })
  expiresAt!: string;

  @ApiProperty({ type: 'integer', description: 'It ends when it is not used for so long.' })
  idleMinutes!: number;
}

const sessionAnswer = (signedIn: SignedIn): SessionAnswer => ({
  userId: signedIn.userId,
  name: signedIn.name,
  role: signedIn.role,
  mustChangePassword: signedIn.mustChangePassword,
  csrfToken: csrfTokenOf(signedIn.token),
  expiresAt: signedIn.expiresAt.toISOString(),
  idleMinutes: IDLE_MINUTES,
});

@ApiTags('Session')
@Controller('v1')
export class SessionController {
  constructor(
    private readonly doors: SignIn,
    private readonly limits: SignInLimits,
    private readonly sessions: Sessions,
    private readonly users: Users,
    private readonly browsers: KnownBrowsers,
    @Inject(CONSOLE_ORIGIN) private readonly at: ConsoleOrigin,
  ) {}

  @Post('session')
  @Allow('public')
  @ApiOperation({ summary: 'Sign in', operationId: 'signIn' })
  @Answers({ status: 201, type: SessionAnswer, description: 'The session, begun.' }, 422)
  async signIn(
    @Body() { name, password }: SignInDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    return this.begin(await this.triedBy(name, request), password, reply);
  }

  @Get('session')
  @Allow('session')
  @ApiOperation({ summary: 'Who is signed in', operationId: 'getSession' })
  @Answers({ status: 200, type: SessionAnswer, description: 'The session.' })
  get(@CurrentUser() user: SignedIn): SessionAnswer {
    return sessionAnswer(user);
  }

  @Delete('session')
  @Allow('session')
  @HttpCode(204)
  @TakesCsrfToken()
  @ApiOperation({ summary: 'Sign out here', operationId: 'signOut' })
  @Answers({ status: 204, description: 'The session has ended.' })
  async signOut(
    @CurrentUser() { token }: SignedIn,
    @AuditedBy() origin: AuditOrigin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.doors.signOut(token, origin);
    setToken(reply, this.at, '');
  }

  @Delete('sessions')
  @Allow('session')
  @HttpCode(204)
  @TakesCsrfToken()
  @ApiOperation({ summary: 'Sign out everywhere', operationId: 'signOutEverywhere' })
  @Answers({ status: 204, description: 'All your sessions have ended.' })
  async signOutEverywhere(
    @CurrentUser() { userId }: SignedIn,
    @AuditedBy() origin: AuditOrigin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.doors.signOutEverywhere(userId, origin);
    setToken(reply, this.at, '');
  }

  @Post('session/password')
  @Allow('session')
  @HttpCode(200)
  @TakesCsrfToken()
  @ApiOperation({
    summary: 'Change your password',
    operationId: 'changePassword',
    description: 'Ends all your sessions and begins a new one here.',
  })
  @Answers({ status: 200, type: SessionAnswer, description: 'The new session.' }, 422)
  async changePassword(
    @Body() { current, next }: ChangePasswordDto,
    @CurrentUser() { userId, name }: SignedIn,
    @AuditedBy() origin: AuditOrigin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    const tried = await this.triedBy(name, request);
    await this.limits.count(tried);
    await this.users.changePassword(userId, current, next, origin);
    return this.begin(tried, next, reply);
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

  private async begin(tried: Tried, password: string, reply: FastifyReply): Promise<SessionAnswer> {
    const { token, browser } = await this.doors.signIn(tried, password);
    const signedIn = await this.sessions.find(token);
    assert(signedIn !== null, 'a session that just began is there');
    setToken(reply, this.at, token);
    setBrowser(reply, this.at, browser);
    return sessionAnswer(signedIn);
  }
}
