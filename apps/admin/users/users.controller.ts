import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { Field, OneOf } from '#platform';
import { type Acting, Allow, CurrentUser } from '../access/allow.js';
import {
  AmountLimitDto,
  AmountLimits,
  ScopeEntries,
  ScopeEntryDto,
} from '../access/access-scope.dto.js';
import { MAX_EMAIL_CHARS } from '../access/identities.js';
import { type Role, ROLES } from '../access/role.js';
import { UserAnswer } from '../access/user-answer.js';
import { Users } from '../access/users.js';
import { actionPath } from '../actions/action-answers.js';
import { Answers, listOf } from '../shared/docs.js';
import { ReasonDto } from '../shared/reason.dto.js';
import { NewPasswordAnswer, NewUserAnswer, UserChangeAnswer, UserChanges } from './user-changes.js';

class CreateUserDto extends ReasonDto {
  @Field('2 to 32 lower-case letters, digits, dots, _ or -.', { example: 'jane' })
  @IsString()
  @MaxLength(64)
  name!: string;

  @OneOf(ROLES, 'The role of the new user.', 'Role')
  @IsIn(ROLES)
  role!: Role;

  @Field('The email address with which the user signs in at the identity provider, if any.', {
    required: false,
    format: 'email',
    example: 'jane@company.example',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_EMAIL_CHARS)
  email?: string;

  @ScopeEntries({ required: false })
  scope?: ScopeEntryDto[];

  @AmountLimits({ required: false })
  limits?: AmountLimitDto[];
}

class RegisterIdentityDto extends ReasonDto {
  @Field('The email address that the identity provider has verified.', {
    format: 'email',
    example: 'jane@company.example',
  })
  @IsString()
  @MaxLength(MAX_EMAIL_CHARS)
  email!: string;
}

class ChangeRoleDto extends ReasonDto {
  @OneOf(ROLES, 'The new role.', 'Role')
  @IsIn(ROLES)
  role!: Role;
}

class ChangeAccessDto extends ReasonDto {
  @ScopeEntries()
  scope!: ScopeEntryDto[];

  @AmountLimits()
  limits!: AmountLimitDto[];
}

class UserList extends listOf(UserAnswer) {}

const TWO = 'A change that grants operator or admin access needs the approval of a second admin.';

@ApiTags('Users')
@Controller('v1/users')
export class UsersController {
  constructor(
    private readonly users: Users,
    private readonly changes: UserChanges,
  ) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'List users' })
  @Answers({ type: UserList, description: 'All users, sorted by name.' })
  async listUsers(): Promise<UserList> {
    return { items: await this.users.list() };
  }

  @Post()
  @Allow('admin')
  @ApiOperation({ summary: 'Create a user', description: TWO })
  @Answers(
    {
      status: 201,
      location: ({ user, action }: NewUserAnswer) =>
        user === null ? actionPath(action) : `/v1/users/${user.id}`,
      type: NewUserAnswer,
      description: 'The user.',
    },
    409,
    422,
  )
  async createUser(
    @Body() { name, role, email, scope = [], limits = [], reason }: CreateUserDto,
    @CurrentUser() by: Acting,
  ): Promise<NewUserAnswer> {
    const access = { scope, limits };
    return this.changes.create({ name, role, email, access }, { by, reason });
  }

  @Post(':id/role')
  @Allow('admin')
  @ApiOperation({ summary: "Change a user's role", description: TWO })
  @Answers({ type: UserChangeAnswer, description: 'The user.' }, 404, 409, 422)
  async changeUserRole(
    @Param('id') id: string,
    @Body() { role, reason }: ChangeRoleDto,
    @CurrentUser() by: Acting,
  ): Promise<UserChangeAnswer> {
    return this.changes.changeRole(id, role, { by, reason });
  }

  @Post(':id/access')
  @Allow('admin')
  @ApiOperation({
    summary: 'Change what a user may see, and up to which amounts the user may act',
    description: `Takes effect with the user’s next request. ${TWO}`,
  })
  @Answers({ type: UserChangeAnswer, description: 'The user.' }, 404, 409, 422)
  async changeUserAccess(
    @Param('id') id: string,
    @Body() { scope, limits, reason }: ChangeAccessDto,
    @CurrentUser() by: Acting,
  ): Promise<UserChangeAnswer> {
    return this.changes.changeAccess(id, { scope, limits }, { by, reason });
  }

  @Post(':id/disable')
  @Allow('admin')
  @ApiOperation({ summary: 'Disable a user' })
  @Answers({ type: UserChangeAnswer, description: 'The user.' }, 404, 409, 422)
  async disableUser(
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
    @CurrentUser() by: Acting,
  ): Promise<UserChangeAnswer> {
    return this.changes.disable(id, { by, reason });
  }

  @Post(':id/enable')
  @Allow('admin')
  @ApiOperation({ summary: 'Enable a user', description: TWO })
  @Answers({ type: UserChangeAnswer, description: 'The user.' }, 404, 422)
  async enableUser(
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
    @CurrentUser() by: Acting,
  ): Promise<UserChangeAnswer> {
    return this.changes.enable(id, { by, reason });
  }

  @Post(':id/reset-password')
  @Allow('admin')
  @ApiOperation({ summary: 'Reset a password', description: TWO })
  @Answers({ type: NewPasswordAnswer, description: 'The one-time password.' }, 404, 409, 422)
  async resetPassword(
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
    @CurrentUser() by: Acting,
  ): Promise<NewPasswordAnswer> {
    return this.changes.resetPassword(id, { by, reason });
  }

  @Post(':id/reset-second-factor')
  @Allow('admin')
  @ApiOperation({ summary: 'Reset a second factor', description: TWO })
  @Answers({ type: UserChangeAnswer, description: 'The user.' }, 404, 409, 422)
  async resetSecondFactor(
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
    @CurrentUser() by: Acting,
  ): Promise<UserChangeAnswer> {
    return this.changes.resetSecondFactor(id, { by, reason });
  }

  @Post(':id/register-identity')
  @Allow('admin')
  @ApiOperation({
    summary: 'Register an account at the identity provider',
    description:
      'The first sign-in with this verified email address links the account to the user; the ' +
      `address is then deleted. Replaces the user’s former account. ${TWO}`,
  })
  @Answers({ type: UserChangeAnswer, description: 'The user.' }, 404, 409, 422)
  async registerIdentity(
    @Param('id') id: string,
    @Body() { email, reason }: RegisterIdentityDto,
    @CurrentUser() by: Acting,
  ): Promise<UserChangeAnswer> {
    return this.changes.registerIdentity(id, email, { by, reason });
  }

  @Post(':id/remove-identity')
  @Allow('admin')
  @ApiOperation({
    summary: 'Remove an account at the identity provider',
    description:
      'Ends the user’s sessions and rejects the open requests. The user can still sign in with a ' +
      'password.',
  })
  @Answers({ type: UserChangeAnswer, description: 'The user.' }, 404, 409, 422)
  async removeIdentity(
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
    @CurrentUser() by: Acting,
  ): Promise<UserChangeAnswer> {
    return this.changes.removeIdentity(id, { by, reason });
  }
}
