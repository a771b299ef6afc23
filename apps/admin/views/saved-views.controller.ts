import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsBoolean, IsIn, Matches } from 'class-validator';
import { Field, OneOf } from '#platform';
import { type Acting, Allow, CurrentUser } from '../access/allow.js';
import { Answers, listOf } from '../shared/docs.js';
import { NothingPersonal } from '../shared/reason.dto.js';
import { type NewView, type SavedView, SavedViews, VIEWED_LISTS } from './saved-views.js';

class ListDto {
  @OneOf(VIEWED_LISTS, 'The list.', 'ViewedList')
  @IsIn(VIEWED_LISTS)
  list!: NewView['list'];
}

/** The values of a query string, as a user typed them. */
const valuesOf = (query: string): string => [...new URLSearchParams(query).values()].join('\n');

class SaveViewDto extends ListDto implements NewView {
  @Field('The name of the view, unique among the user’s views of the list.', {
    minLength: 1,
    maxLength: 60,
    example: 'Large open orders',
  })
  @Matches(/^[^\s\p{C}](?:[^\p{C}]{0,58}[^\s\p{C}])?$/u, {
    message: '$property must be 1 to 60 visible characters',
  })
  @NothingPersonal()
  name!: string;

  @Field('The query string of the list’s page in the console.', {
    maxLength: 2_000,
    example: 'status=open&currency=eur&sort=amount.desc',
  })
  @Matches(/^[\w%&+.=~*-]{1,2000}$/, { message: '$property must be a query string without `?`' })
  @NothingPersonal(valuesOf)
  query!: string;

  @ApiProperty({
    type: Boolean,
    example: true,
    description: 'Whether every user of the console sees the view.',
  })
  @IsBoolean()
  isShared!: boolean;
}

class SavedViewAnswer implements SavedView {
  @Field('The id of the view.', { example: 'view_3xKq0Zb7Yw2m4c9NfTgV1hJa' })
  id!: string;

  @Field('The name of the view.', { example: 'Large open orders' })
  name!: string;

  @Field('The query string of the list’s page in the console.', {
    example: 'status=open&currency=eur&sort=amount.desc',
  })
  query!: string;

  @ApiProperty({
    type: Boolean,
    example: true,
    description: 'Whether every user of the console sees the view.',
  })
  isShared!: boolean;

  @ApiProperty({
    type: Boolean,
    example: true,
    description: 'Whether the view belongs to the signed-in user.',
  })
  isOwn!: boolean;

  @Field('The name of the user who saved the view.', { example: 'camille' })
  ownerName!: string;
}

class SavedViewList extends listOf(SavedViewAnswer) {}

@ApiTags('Views')
@Controller('v1/saved-views')
export class SavedViewsController {
  constructor(private readonly views: SavedViews) {}

  @Get()
  @Allow('viewer', { narrowed: true })
  @ApiOperation({ summary: 'The saved views of a list: own views and shared ones' })
  @Answers({ type: SavedViewList, description: 'Sorted by name.' }, 422)
  async listSavedViews(
    @Query() { list }: ListDto,
    @CurrentUser() by: Acting,
  ): Promise<SavedViewList> {
    return { items: [...(await this.views.of(list, by))] };
  }

  @Post()
  @Allow('operator', { narrowed: true })
  @ApiOperation({
    summary: 'Save a view',
    description:
      'A saved view that the user already has for this list under this name is overwritten.',
  })
  @Answers({ type: SavedViewAnswer, description: 'The saved view.' }, 409, 422)
  saveView(@Body() view: SaveViewDto, @CurrentUser() by: Acting): Promise<SavedViewAnswer> {
    return this.views.save(view, by);
  }

  @Delete(':id')
  @Allow('operator', { narrowed: true })
  @ApiOperation({ summary: 'Delete a view', description: 'Admins also delete shared views.' })
  @Answers({ status: 204, description: 'Deleted.' }, 404)
  deleteView(@Param('id') id: string, @CurrentUser() by: Acting): Promise<void> {
    return this.views.delete(id, by);
  }
}
