import { assert } from '#kernel';
import type { AccountScope } from '../storage/account-scope.js';
import type { Database } from '../storage/database.js';
import { fixed, mutable, OWNED, table, type Table } from '../storage/table.js';
import { answer, described, idOf, pageOf, type Shape } from './answers.js';
import { type Checked, checkedBody } from './checked.js';
import type {
  AnswerOf,
  BaseOf,
  ChangesOf,
  CreateOf,
  Field,
  Fields,
  FiltersOf,
  GivenOf,
  Joined,
  PatchOf,
  RowOf,
} from './fields.js';
import type { IdPrefix } from './ids.js';
import { type Filters, type ListQuery, listQuery, type ListSource, readPage } from './lists.js';
import type { ApiResource, Verb } from './openapi/api-resource.js';
import type { Reference } from './references.js';

interface Head {
  readonly prefix: IdPrefix;
  /** The prefix of the resource's schema names: `…Create`, `…Patch`, `…Out`, `…OutList`. */
  readonly title: string;
  readonly about: string;
  /** The table of the resource; list responses have the items under this name. */
  readonly table: string;
  /** Two letters that identify the table in the names of prepared statements, see `TableNames`. */
  readonly key: string;
  readonly create?: Verb;
  readonly patch?: Verb;
  readonly removed?: ApiResource['removed'];
  /** The columns of the type `json`. */
  readonly jsonColumns?: readonly string[];
  /** Fields with long numbers, see `checkedBody`. */
  readonly numbers?: readonly string[];
}

/** Validates a body; undefined when the method accepts no fields. */
type Body<T> = keyof T extends never ? undefined : Checked<T> & Verb;

/**
 * A resource of the payment API. Its table, responses, requests and list are derived from its
 * fields.
 */
export interface Resource<F extends Fields>
  extends Table<RowOf<F>>, Omit<ListSource, 'name'>, Omit<ApiResource, 'create' | 'patch'> {
  readonly answer: Shape<AnswerOf<F>>;
  readonly create: Body<CreateOf<F>>;
  readonly patch: Body<PatchOf<F>>;
  readonly list: Checked<ListQuery & FiltersOf<F>>;
  /** Converts a row to the response. */
  readonly wire: (row: RowOf<F> & Joined<F>, ...base: BaseOf<F>) => AnswerOf<F>;
  /** The column values of a new object: null where the body omits the field. */
  readonly given: (body: CreateOf<F>) => GivenOf<F>;
  /** The column values that the body of a PATCH sets. */
  readonly changes: (body: PatchOf<F>) => ChangesOf<F>;
  /** The references in a body. */
  readonly references: (body: object) => readonly Reference[];
  /** The columns to filter by, and their values, from the query of a list. */
  readonly filters: (query: object) => Filters;
}

type Entry = readonly [name: string, field: Field];
type Values = Readonly<Record<string, unknown>>;

const columnOf = ([name, { column }]: Entry): string => column ?? name;

/**
 * Generates a function that returns a row's response as one object literal, because filling an
 * object in a loop takes four times as long. Ajv generates its validators in the same way.
 */
const compiled = (shown: readonly Entry[]): ((row: Values, baseUrl?: string) => Values) => {
  const values = shown.map((entry, index) => {
    const [name, { compute, from }] = entry;
    const column = `row[${JSON.stringify(columnOf(entry))}]`;
    if (compute !== undefined) return `${JSON.stringify(name)}: of[${index}](row, baseUrl)`;
    return `${JSON.stringify(name)}: ${from === undefined ? column : `of[${index}](${column})`}`;
  });
  const body = `return (row, baseUrl) => ({ id: row.id, ${values.join(', ')} });`;
  // oxlint-disable-next-line typescript/no-implied-eval -- the code contains only declared names
  return new Function('of', body)(shown.map(([, { compute, from }]) => compute ?? from));
};

const takes = (verb: 'create' | 'patch', { in: taken, only }: Field): boolean =>
  taken !== undefined && (only ?? verb) === verb;

const kindOf = (field: Field) =>
  field.mutable === true || takes('patch', field) ? mutable<unknown>() : fixed<unknown>();

const aboutOf = ({ about = '', asked }: Field): string =>
  asked === undefined ? about : `${about} ${asked}`;

const bodyOf = (
  verb: 'create' | 'patch',
  entries: readonly Entry[],
  head: Head,
): (Checked<object> & Verb) | undefined => {
  const taken = entries.filter(([, field]) => takes(verb, field));
  if (taken.length === 0) return undefined;
  const properties = Object.fromEntries(
    taken.map(([name, field]) => {
      const of = verb === 'create' ? field.in : field.change;
      assert(of !== undefined, 'a field that requests accept has a schema');
      return [name, described(aboutOf(field), of)];
    }),
  );
  const required = taken.flatMap(([name, field]) => (field.required === true ? [name] : []));
  const { rules, ...more } = head[verb] ?? {};
  const schema = {
    ...(verb === 'patch' || required.length === 0 ? {} : { required }),
    properties,
    ...rules,
  };
  return { ...checkedBody<object>(schema, head.numbers), ...more };
};

/**
 * Declares a resource: each field once, in the order of responses, after the `id`. The fields that
 * PATCH accepts are mutable. If the table has a column `deleted_at`, lists omit deleted rows.
 */
export const resource = <const F extends Fields>(head: Head, fields: F): Resource<F> => {
  const { prefix, title, about, removed } = head;
  const entries: readonly Entry[] = Object.entries(fields);
  const stored = entries.filter(([, field]) => field.stored === true);
  const shown = entries.filter(([, field]) => field.out !== undefined);
  const filtered = entries.filter(([, field]) => field.filter === true);
  const of = (verb: 'create' | 'patch') => stored.filter(([, field]) => takes(verb, field));
  const columns = {
    ...OWNED,
    ...Object.fromEntries(stored.map((entry) => [columnOf(entry), kindOf(entry[1])])),
  };
  const out = described(
    about,
    answer({
      id: described('The id of the object.', idOf(prefix)),
      ...Object.fromEntries(
        shown.map(([name, field]) => [name, described(field.about ?? '', field.out as Shape)]),
      ),
    }),
  );
  return {
    ...table(head.table, head.key, columns, head.jsonColumns),
    select: `SELECT t.* FROM ${head.table} t`,
    ...('deleted_at' in columns ? { where: 't.deleted_at IS NULL' } : {}),
    prefix,
    title,
    about,
    ...(removed === undefined ? {} : { removed }),
    answer: out,
    page: pageOf(head.table, out),
    create: bodyOf('create', entries, head),
    patch: bodyOf('patch', entries, head),
    list: listQuery(
      Object.fromEntries(
        filtered.map(([name, field]) => [
          name,
          { type: 'string', description: `Only objects with this value. ${field.about}` },
        ]),
      ),
      head.numbers,
    ),
    wire: compiled(shown),
    given: (body: Values) =>
      Object.fromEntries(of('create').map((entry) => [columnOf(entry), body[entry[0]] ?? null])),
    changes: (body: Values) =>
      Object.fromEntries(
        of('patch').flatMap((entry) =>
          body[entry[0]] === undefined ? [] : [[columnOf(entry), body[entry[0]]]],
        ),
      ),
    references: (body: Values) =>
      entries.flatMap(([name, { refers }]) =>
        refers === true && typeof body[name] === 'string' ? [[name, body[name]]] : [],
      ),
    filters: (query: Values) =>
      Object.fromEntries(filtered.map((entry) => [columnOf(entry), query[entry[0]]])),
    // TypeScript cannot derive these types from the fields.
  } as unknown as Resource<F>;
};

export type { StoredRow } from '../storage/table.js';

/** The types of request bodies after validation. */
export type CreateBody<R> = R extends { readonly create: Checked<infer T> } ? T : never;
export type PatchBody<R> = R extends { readonly patch: Checked<infer T> } ? T : never;

interface Listed<Stored> extends ListSource {
  readonly list: Checked<ListQuery>;
  readonly filters: (query: object) => Filters;
  readonly wire: (row: Stored) => object;
}

/**
 * One page of a resource's list as the API returns it; pass `source` when the list joins further
 * tables.
 */
export const listPage = async <Stored>(
  database: Database,
  listed: Listed<Stored>,
  scope: AccountScope,
  query: unknown,
  source: ListSource = listed,
): Promise<object> => {
  const { list, filters, wire, name } = listed;
  const asked = list.read({ ...(query as object) });
  const { rows, range } = await readPage<Stored>(database, source, scope, asked, filters(asked));
  return { [name]: rows.map((row) => wire(row)), range };
};
