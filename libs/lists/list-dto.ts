import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Type as AsType } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { AS_ARRAY, filterField } from './filter-field.js';
import type { Column, List, ListQuery } from './list.js';
import { idPatternOf } from './place.js';
import type { FileFormat } from './send-file.js';

type Fields = Readonly<Record<string, readonly PropertyDecorator[]>>;

/** Creates a class with these decorated fields at run time. */
const classOf = <Made extends object>(name: string, fields: Fields): Type<Made> => {
  const made = class {};
  Object.defineProperty(made, 'name', { value: name });
  for (const [field, decorators] of Object.entries(fields)) {
    for (const decorate of decorators) decorate(made.prototype, field);
  }
  return made as Type<Made>;
};

const filtersOf = ({ filters }: List): Fields =>
  Object.fromEntries(Object.entries(filters).map(([name, one]) => [name, filterField(one)]));

/**
 * What the parameter `sort` of a list, or of its files, needs to say besides its values; see
 * `fileQuery` for the orders that files do not have.
 */
const aboutSorts = ({ sorts }: List, isFile: boolean): string => {
  const [usual] = Object.keys(sorts);
  const changing = Object.keys(sorts).filter((name) => sorts[name]?.changes === true);
  return [
    ...('amount' in sorts ? ['`amount` requires the filter `currency`.'] : []),
    ...(isFile
      ? changing.map(
          (name) =>
            `With \`${name}\` a file is sorted by \`${usual}\`, because rows may change while the ` +
            'file is read.',
        )
      : []),
  ].join(' ');
};

/** The parameters `sort` and `direction`; a list with only one sort order has neither parameter. */
const sortsOf = (list: List, isFile = false): Fields => {
  const { sorts } = list;
  const names = Object.keys(sorts);
  if (names.length === 1) return {};
  const choice = (of: string[], usual: string | undefined, about: object = {}) => [
    ApiPropertyOptional({ enum: of, default: usual, ...about }),
    IsOptional(),
    IsIn(of),
  ];
  const description = aboutSorts(list, isFile);
  return {
    sort: choice(names, names[0], description === '' ? {} : { description }),
    direction: choice(['asc', 'desc'], 'desc'),
  };
};

/** The longest search text. */
const MAX_SEARCH_CHARS = 200;

const searchOf = ({ search }: List): Fields =>
  search === undefined
    ? {}
    : {
        search: [
          ApiPropertyOptional({
            type: String,
            maxLength: MAX_SEARCH_CHARS,
            description:
              'Parts of ids and references, amounts, dates and statuses, and operators such as ' +
              '`status:open amount:>100`; rows that match all of them.',
          }),
          IsOptional(),
          Matches(/^[^\p{C}]{1,200}$/u, {
            message: '$property must be 1 to 200 visible characters',
          }),
        ],
      };

/** The default and the maximum number of rows on a page. */
export interface Paging {
  readonly usual: number;
  readonly most: number;
}

/** The query parameter `limit`. `usual`: the default; absent: none. `means`: the description. */
export interface Limit extends Omit<Paging, 'usual'> {
  readonly usual?: number;
  readonly means?: string;
}

/** The documentation and validation of the query parameter `limit`. */
export const limitField = ({ usual, most, means }: Limit): readonly PropertyDecorator[] => [
  ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: most,
    ...(usual !== undefined && { default: usual }),
    ...(means !== undefined && { description: means }),
  }),
  IsOptional(),
  AsType(() => Number),
  Max(most),
  Min(1),
  IsInt(),
];

/** The query parameters with which a page of a list is requested. */
export const queryOf = (list: List, paging: Limit): Type<ListQuery> =>
  classOf(`${list.item}Query`, {
    ...filtersOf(list),
    ...searchOf(list),
    ...sortsOf(list),
    limit: limitField(paging),
    cursor: [
      ApiPropertyOptional({ type: String, description: '`nextCursor` of the previous page.' }),
      IsOptional(),
      Matches(/^[\w-]{1,400}$/, {
        message: '$property is not a cursor: send `nextCursor` of the previous page',
      }),
    ],
  });

/** The query parameters that choose rows of a list, whatever their order. */
export const filtersQueryOf = (list: List): Type<ListQuery> =>
  classOf(`${list.item}Filters`, { ...filtersOf(list), ...searchOf(list) });

export type FileQuery = ListQuery & { readonly format: FileFormat };

/**
 * The query parameters with which a list is exported as a file. `formats` are the available
 * formats, if there are several.
 */
export const fileQueryOf = (list: List, formats: readonly FileFormat[] = []): Type<FileQuery> =>
  classOf(`${list.item}FileQuery`, {
    ...filtersOf(list),
    ...searchOf(list),
    ...sortsOf(list, true),
    ...(formats.length > 0 && { format: [ApiProperty({ enum: [...formats] }), IsIn(formats)] }),
  });

/** The maximum number of rows that a request may choose by their ids. */
const MAX_IDS = 200;

/** The query parameters with which a list, or only some of its rows, is exported as a file. */
export const selectedQueryOf = (list: List): Type<ListQuery> =>
  classOf(`${list.item}SelectedQuery`, {
    ...filtersOf(list),
    ...searchOf(list),
    ...sortsOf(list, true),
    ids: [
      ApiPropertyOptional({
        type: String,
        isArray: true,
        maxItems: MAX_IDS,
        description: 'Only the rows with these ids.',
      }),
      IsOptional(),
      AS_ARRAY,
      Matches(idPatternOf(list), { each: true, message: '$property must be ids of rows' }),
      ArrayMaxSize(MAX_IDS),
    ],
  });

const schemaOf = ({ holds, oneOf, nullable, means }: Column): ApiPropertyOptions => {
  const schemas = {
    text: { type: String },
    integer: { type: 'integer' },
    flag: { type: Boolean },
    instant: { type: String, format: 'date-time' },
    day: { type: String, format: 'date' },
    texts: { type: String, isArray: true },
    object: { type: 'object', additionalProperties: true },
  } as const;
  return {
    ...schemas[holds ?? 'text'],
    ...(oneOf !== undefined && { enum: [...oneOf] }),
    ...(nullable && { nullable }),
    ...(means !== undefined && { description: means }),
  } as ApiPropertyOptions;
};

/** The class of a list's row. */
export const itemOf = ({ item, columns }: List): Type<object> =>
  classOf(
    `${item}Item`,
    Object.fromEntries(
      Object.entries(columns).map(([name, one]) => [name, [ApiProperty(schemaOf(one))]]),
    ),
  );

/** The class of a page of these rows. */
export const pageOf = ({ item }: List, row: Type<object>): Type<object> =>
  classOf(`${item}Page`, {
    items: [ApiProperty({ type: row, isArray: true })],
    nextCursor: [
      ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' }),
    ],
  });
