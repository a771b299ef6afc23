import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { AuditedBy, type AuditOrigin } from '../audit/audit.js';
import { Answers } from '../shared/docs.js';
import { ReasonDto } from '../shared/reason.dto.js';
import { Allow, TakesCsrfToken } from './allow.js';
import { type Role, ROLES } from './role.js';
import { type NewPassword, type UserRow, Users } from './users.js';

class CreateUserDto extends ReasonDto {
  @ApiProperty({ example: 'jane', description: '2 to 32 lower-case letters, digits, dots, _ or -.' })
  @IsString()
  @MaxLength(64)
  name!: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role' })
  @IsIn(ROLES)
  role!: Role;
}

class ChangeRoleDto extends ReasonDto {
  @ApiProperty({ enum: ROLES, enumName: 'Role' })
  @IsIn(ROLES)
  role!: Role;
}

/** A user of the console. */
class UserAnswer {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role' })
  role!: Role;

  @ApiProperty()
  mustChangePassword!: boolean;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  disabledAt!: string | null;
}

class UserList {
  @ApiProperty({ type: UserAnswer, isArray: true })
  items!: readonly UserAnswer[];
}

class NewPasswordAnswer {
  @ApiProperty({ type: UserAnswer })
  user!: UserAnswer;

  @ApiProperty({ description: 'Shown once; it must be changed at the first sign-in.' })
  oneTimePassword!: string;
}

const userAnswer = ({ createdAt, disabledAt, ...user }: UserRow): UserAnswer => ({
  ...user,
  createdAt: createdAt.toISOString(),
  disabledAt: disabledAt?.toISOString() ?? null,
});

const passwordAnswer = ({ user, oneTimePassword }: NewPassword): NewPasswordAnswer => ({
  user: userAnswer(user), oneTimePassword,
});

@ApiTags('Users')
@Controller('v1/users')
export class UsersController {
  constructor(private readonly users: Users) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'The users of the console', operationId: 'listUsers' })
  @Answers({ status: 200, type: UserList, description: 'All of them, by name.' })
  async list(): Promise<UserList> {
    return { items: (await this.users.list()).map(userAnswer) };
  }

  @Post()
  @Allow('admin')
  @TakesCsrfToken()
  @ApiOperation({ summary: 'Make a user', operationId: 'createUser' })
  @Answers({ status: 201, type: NewPasswordAnswer, description: 'The user.' }, 409, 422)
  async create(
    @Body() { name, role, reason }: CreateUserDto, @AuditedBy() origin: AuditOrigin,
  ): Promise<NewPasswordAnswer> {
    return passwordAnswer(await this.users.create(name, role, origin, reason));
  }

  @Post(':id/role')
  @Allow('admin')
  @HttpCode(200)
  @TakesCsrfToken()
  @ApiOperation({ summary: "Change a user's role", operationId: 'changeUserRole' })
  @Answers({ status: 200, type: UserAnswer, description: 'The user.' }, 404, 409, 422)
  async changeRole(
    @Param('id') id: string, @Body() { role, reason }: ChangeRoleDto,
    @AuditedBy() origin: AuditOrigin,
  ): Promise<UserAnswer> {
    return userAnswer(await this.users.changeRole(id, role, origin, reason));
  }

  @Post(':id/disable')
  @Allow('admin')
  @HttpCode(200)
  @TakesCsrfToken()
  @ApiOperation({ summary: 'Shut a user out', operationId: 'disableUser' })
  @Answers({ status: 200, type: UserAnswer, description: 'The user.' }, 404, 409, 422)
  async disable(
    @Param('id') id: string, @Body() { reason }: ReasonDto, @AuditedBy() origin: AuditOrigin,
  ): Promise<UserAnswer> {
    return userAnswer(await this.users.setDisabled(id, true, origin, reason));
  }

  @Post(':id/enable')
  @Allow('admin')
  @HttpCode(200)
  @TakesCsrfToken()
  @ApiOperation({ summary: 'Let a user in again', operationId: 'enableUser' })
  @Answers({ status: 200, type: UserAnswer, description: 'The user.' }, 404, 422)
  async enable(
    @Param('id') id: string, @Body() { reason }: ReasonDto, @AuditedBy() origin: AuditOrigin,
  ): Promise<UserAnswer> {
    return userAnswer(await this.users.setDisabled(id, false, origin, reason));
  }

  @Post(':id/reset-password')
  @Allow('admin')
  @HttpCode(200)
  @TakesCsrfToken()
  @ApiOperation({ summary: 'Give a user a new one-time password', operationId: 'resetPassword' })
  @Answers({ status: 200, type: NewPasswordAnswer, description: 'The password.' }, 404, 409, 422)
  async resetPassword(
    @Param('id') id: string, @Body() { reason }: ReasonDto, @AuditedBy() origin: AuditOrigin,
  ): Promise<NewPasswordAnswer> {
    return passwordAnswer(await this.users.resetPassword(id, origin, reason));
  }
}
