import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { Allow, CurrentUser, TakesCsrfToken } from '../access/allow.js';
import { type Role, ROLES } from '../access/role.js';
import type { SignedIn } from '../access/sessions.js';
import { Users } from '../access/users.js';
import { ActionAnswer, WAITS } from '../actions/action-answers.js';
import { AuditedBy, type AuditOrigin } from '../shared/audit.js';
import { Answers } from '../shared/docs.js';
import { ReasonDto } from '../shared/reason.dto.js';
import { UserChanges } from './user-changes.js';

class CreateUserDto extends ReasonDto {
  @ApiProperty({
    example: 'jane',
    description: '2 to 32 lower-case letters, digits, dots, _ or -.',
  })
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
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  disabledAt!: Date | null;
}

class UserList {
  @ApiProperty({ type: UserAnswer, isArray: true })
  items!: readonly UserAnswer[];
}

class UserChangeAnswer {
  @ApiProperty({
    type: UserAnswer,
    nullable: true,
    description: 'Null where it waits for approval.',
  })
  user!: UserAnswer | null;

  @ApiProperty({ type: ActionAnswer, nullable: true, description: WAITS })
  action!: ActionAnswer | null;
}

class NewPasswordAnswer extends UserChangeAnswer {
  @ApiProperty({ description: 'Shown once; it must be changed at the first sign-in.' })
  oneTimePassword!: string;
}

const TWO =
  'What gives an operator or admin a right, or a way to use it, waits for a second admin.';

@ApiTags('Users')
@Controller('v1/users')
export class UsersController {
  constructor(
    private readonly users: Users,
    private readonly changes: UserChanges,
  ) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'The users of the console', operationId: 'listUsers' })
  @Answers({ status: 200, type: UserList, description: 'All of them, by name.' })
  async list(): Promise<UserList> {
    return { items: await this.users.list() };
  }

  @Post()
  @Allow('admin')
  @TakesCsrfToken()
  @ApiOperation({ summary: 'Make a user', operationId: 'createUser', description: TWO })
  @Answers({ status: 201, type: NewPasswordAnswer, description: 'The user.' }, 409, 422)
  async create(
    @Body() { name, role, reason }: CreateUserDto,
    @CurrentUser() by: SignedIn,
    @AuditedBy() origin: AuditOrigin,
  ): Promise<NewPasswordAnswer> {
    return this.changes.create(name, role, { by, origin, reason });
  }

  @Post(':id/role')
  @Allow('admin')
  @HttpCode(200)
  @TakesCsrfToken()
  @ApiOperation({
    summary: "Change a user's role",
    operationId: 'changeUserRole',
    description: TWO,
  })
  @Answers({ status: 200, type: UserChangeAnswer, description: 'The user.' }, 404, 409, 422)
  async changeRole(
    @Param('id') id: string,
    @Body() { role, reason }: ChangeRoleDto,
    @CurrentUser() by: SignedIn,
    @AuditedBy() origin: AuditOrigin,
  ): Promise<UserChangeAnswer> {
    return this.changes.changeRole(id, role, { by, origin, reason });
  }

  @Post(':id/disable')
  @Allow('admin')
  @HttpCode(200)
  @TakesCsrfToken()
  @ApiOperation({ summary: 'Shut a user out', operationId: 'disableUser' })
  @Answers({ status: 200, type: UserChangeAnswer, description: 'The user.' }, 404, 409, 422)
  async disable(
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
    @CurrentUser() by: SignedIn,
    @AuditedBy() origin: AuditOrigin,
  ): Promise<UserChangeAnswer> {
    return this.changes.disable(id, { by, origin, reason });
  }

  @Post(':id/enable')
  @Allow('admin')
  @HttpCode(200)
  @TakesCsrfToken()
  @ApiOperation({ summary: 'Let a user in again', operationId: 'enableUser', description: TWO })
  @Answers({ status: 200, type: UserChangeAnswer, description: 'The user.' }, 404, 422)
  async enable(
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
    @CurrentUser() by: SignedIn,
    @AuditedBy() origin: AuditOrigin,
  ): Promise<UserChangeAnswer> {
    return this.changes.enable(id, { by, origin, reason });
  }

  @Post(':id/reset-password')
  @Allow('admin')
  @HttpCode(200)
  @TakesCsrfToken()
  @ApiOperation({
    summary: 'Give a user a new one-time password',
    operationId: 'resetPassword',
    description: TWO,
  })
  @Answers({ status: 200, type: NewPasswordAnswer, description: 'The password.' }, 404, 409, 422)
  async resetPassword(
    @Param('id') id: string,
    @Body() { reason }: ReasonDto,
    @CurrentUser() by: SignedIn,
    @AuditedBy() origin: AuditOrigin,
  ): Promise<NewPasswordAnswer> {
    return this.changes.resetPassword(id, { by, origin, reason });
  }
}
