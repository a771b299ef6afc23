/** A column of a list's answer, as SQL, JSON, CSV and the reference have it. */
export interface Column {
  /** A column of the table, or an expression. */
  readonly sql: string;
  /** Text where nothing is said. */
  readonly holds?: 'integer' | 'flag' | 'instant' | 'day' | 'texts' | 'object';
  readonly oneOf?: readonly string[];
  readonly nullable?: true;
  readonly means?: string;
}

/** A query parameter that narrows a list; in `where` a `?` stands for its value. */
export type Filter =
  | {
      /** An `amount` is in minor units, and asks for `currency` beside it. */
      readonly is: 'id' | 'reference' | 'instant' | 'day' | 'amount';
      readonly where: string;
      readonly means?: string;
    }
  | {
      /** `several` may be given more than once: whatever fits one of them is listed. */
      readonly is: 'one' | 'several';
      readonly of: readonly string[];
      readonly where: string;
      readonly means?: string;
    }
  /** By each value a condition of its own, where the planner must see which one is meant. */
  | {
      readonly is: 'case';
      readonly where: Readonly<Record<string, string>>;
      readonly means?: string;
    }
  /** `false` asks for nothing, unless there is an `otherwise`. */
  | {
      readonly is: 'flag';
      readonly where: string;
      readonly otherwise?: string;
      readonly means: string;
    };

/** What a list may be ordered by. An index has it, then the list's id. */
export interface Sort {
  readonly by: string;
  /** Amounts are ordered within one currency: `currency` must be given. */
  readonly of: 'instant' | 'day' | 'amount' | 'text';
  /** Of the rows that this order is about, where the list has others. */
  readonly where?: string;
  /** The default direction; descending (newest or largest first) unless given. */
  readonly usually?: 'asc';
}

/**
 * A list, once for all who show it: SQL, query parameters, reference and files follow from it. It
 * is plain data, so that it can stand beside its read model.
 */
export interface List {
  /** Its path and its files' name: `orders`. */
  readonly name: string;
  /** What the reference calls it, and a row of it: `Orders`, `Order`. */
  readonly items: string;
  readonly item: string;
  readonly from: string;
  readonly where?: string;
  /** The column of the platform that a row belongs to, where a platform may see it. */
  readonly platform?: string;
  /** Orders the rows that have the same sort value. */
  readonly id: string;
  readonly idIs?: 'uuid' | 'number';
  readonly columns: Readonly<Record<string, Column>>;
  readonly filters: Readonly<Record<string, Filter>>;
  /** The first is the usual one. */
  readonly sorts: Readonly<Record<string, Sort>>;
}

/** What of a list is asked for: its filters by their names, and which page in which order. */
export interface ListQuery {
  readonly [filter: string]: unknown;
  readonly cursor?: string;
  readonly limit?: number;
  readonly sort?: string;
  readonly direction?: Direction;
}

export type Direction = 'asc' | 'desc';
