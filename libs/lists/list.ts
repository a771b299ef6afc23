/** A column of a list: its name and type in SQL, JSON, CSV and the API reference. */
export interface Column {
  /** The column of the table, or an SQL expression. */
  readonly sql: string;
  /** The type of the value; the default is text. */
  readonly holds?: 'integer' | 'flag' | 'instant' | 'day' | 'texts' | 'object';
  readonly oneOf?: readonly string[];
  readonly nullable?: true;
  readonly means?: string;
}

/** A query parameter that filters a list. In `where`, `?` stands for the value of the parameter. */
export type Filter =
  | {
      /** For `amount` the value is in minor units, and the filter `currency` is required. */
      readonly is: 'id' | 'reference' | 'instant' | 'day' | 'amount';
      readonly where: string;
      readonly means?: string;
    }
  | {
      /**
       * `several`: the parameter may be repeated, and the list contains the rows that match any of
       * its values.
       */
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
  /**
   * Selects the rows of a group, e.g. those of all live accounts. The ids of the group are read
   * first and written into the condition, so that the query planner can estimate the number of
   * rows. If all ids belong to the group, there is no condition. If both the group and the rest
   * have too many ids, the condition is `where`.
   */
  | {
      readonly is: 'group';
      readonly of: readonly string[];
      /** The column with the id that determines the group of a row. */
      readonly by: string;
      /**
       * SQL that reads the `group` that the parameter's value `$1` means, the `ids` of this group,
       * and all `others` as arrays, each with at most `MAX_GROUP_IDS + 1` ids.
       */
      readonly ids: string;
      readonly where: string;
      readonly means?: string;
    }
  /**
   * For the value `false` the condition `otherwise` applies; without `otherwise`, the value `false`
   * has no effect.
   */
  | {
      readonly is: 'flag';
      readonly where: string;
      readonly otherwise?: string;
      readonly means: string;
    };

/** A sort order of a list. Each sort order needs an index on the sort value and the row's id. */
export interface Sort {
  readonly by: string;
  /**
   * The type of the sort value. Amounts in different currencies cannot be compared, so `amount`
   * requires the filter `currency`.
   */
  readonly of: 'instant' | 'day' | 'amount' | 'text';
  /**
   * A condition that is true for the rows that have a sort value; rows without a sort value are not
   * listed in this sort order.
   */
  readonly where?: string;
  /**
   * The default direction; if absent, rows are sorted in descending order (newest or largest
   * first).
   */
  readonly usually?: 'asc';
  /**
   * Set if the sort value of a row can change. A file in such an order would lack or repeat the rows
   * that change while it is read, so files use the default order instead.
   */
  readonly changes?: true;
}

/**
 * How the query parameter `search` finds rows of a list: by words, and by the list's own filters,
 * which are the operators of a search.
 */
export interface Search {
  /** SQL that selects the ids of the rows in which a word occurs; see `wordStatement`. */
  readonly words: string;
  /** Slower SQL that is executed only if `words` finds nothing. */
  readonly otherwise?: string;
  /**
   * The conditions of the statuses that only the search offers because the filter `status` does not
   * have them, e.g. `refunded`.
   */
  readonly statuses?: Readonly<Record<string, string>>;
}

/**
 * The declaration of a list, from which SQL, query parameters, API reference and files are derived.
 * The declaration is plain data, in a file beside the read model of the list.
 */
export interface List {
  /** The path of the list and the name of its files: `orders`. */
  readonly name: string;
  /** The names of the list and of a row in the API reference: `Orders`, `Order`. */
  readonly items: string;
  readonly item: string;
  readonly from: string;
  /** The values of the `?` in `from`, in their order. */
  readonly fromValues?: readonly unknown[];
  readonly where?: string;
  /** The column with the platform's id, for lists that platforms can read. */
  readonly platform?: string;
  /** The column with the row's id, which orders rows with equal sort values. */
  readonly id: string;
  readonly idIs?: 'uuid' | 'number';
  readonly columns: Readonly<Record<string, Column>>;
  readonly filters: Readonly<Record<string, Filter>>;
  readonly search?: Search;
  /** The sort orders of the list by name; the first is the default. */
  readonly sorts: Readonly<Record<string, Sort>>;
}

/**
 * A request for a page: the values of filters by name, the sort order, and the position of the
 * page.
 */
export interface ListQuery {
  readonly [filter: string]: unknown;
  readonly search?: string;
  /** Only the rows with these ids. */
  readonly ids?: readonly string[];
  readonly cursor?: string;
  readonly limit?: number;
  readonly sort?: string;
  readonly direction?: Direction;
}

export type Direction = 'asc' | 'desc';
