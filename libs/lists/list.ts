/** A column of a list, for SQL, JSON, CSV and the API reference. */
export interface Column {
  /** The column of the table, or an SQL expression. */
  readonly sql: string;
  /** The type of the value; the default is text. */
  readonly holds?: 'integer' | 'flag' | 'instant' | 'day' | 'texts' | 'object';
  readonly oneOf?: readonly string[];
  readonly nullable?: true;
  readonly means?: string;
}

/** A query parameter that filters a list; `?` in `where` is its value. */
export type Filter =
  | {
      /** An `amount` is in minor units and requires the filter `currency`. */
      readonly is: 'id' | 'reference' | 'instant' | 'day' | 'amount';
      readonly where: string;
      readonly means?: string;
    }
  | {
      /** `several` may be repeated: the list contains rows that match any of the values. */
      readonly is: 'one' | 'several';
      readonly of: readonly string[];
      readonly where: string;
      readonly means?: string;
    }
  /**
   * A separate condition for each value, for cases in which the query planner must see the value.
   */
  | {
      readonly is: 'case';
      readonly where: Readonly<Record<string, string>>;
      readonly means?: string;
    }
  /** The value `false` has no effect, unless there is an `otherwise`. */
  | {
      readonly is: 'flag';
      readonly where: string;
      readonly otherwise?: string;
      readonly means: string;
    };

/** An order of a list. An index contains it together with the list's id. */
export interface Sort {
  readonly by: string;
  /**
   * The type of the sort value. Amounts can only be ordered within one currency: the filter
   * `currency` is required.
   */
  readonly of: 'instant' | 'day' | 'amount' | 'text';
  /** A condition for an order that applies only to some rows of the list. */
  readonly where?: string;
  /** The default direction; descending (newest or largest first) if not specified. */
  readonly usually?: 'asc';
}

/**
 * The declaration of a list, from which SQL, query parameters, API reference and files are derived.
 * It is plain data, stored beside its read model.
 */
export interface List {
  /** The path of the list and the name of its files: `orders`. */
  readonly name: string;
  /** The names of the list and of a row in the API reference: `Orders`, `Order`. */
  readonly items: string;
  readonly item: string;
  readonly from: string;
  readonly where?: string;
  /** The column with the platform's id, for lists that platforms can read. */
  readonly platform?: string;
  /** The column that orders rows with equal sort values. */
  readonly id: string;
  readonly idIs?: 'uuid' | 'number';
  readonly columns: Readonly<Record<string, Column>>;
  readonly filters: Readonly<Record<string, Filter>>;
  /** The orders of the list; the first is the default. */
  readonly sorts: Readonly<Record<string, Sort>>;
}

/** A request for a page: filters by name, and which page in which order. */
export interface ListQuery {
  readonly [filter: string]: unknown;
  readonly cursor?: string;
  readonly limit?: number;
  readonly sort?: string;
  readonly direction?: Direction;
}

export type Direction = 'asc' | 'desc';
