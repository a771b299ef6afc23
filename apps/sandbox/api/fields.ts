import type { Instant } from '#kernel';
import type { Column, OWNED, RowWith } from '../storage/table.js';
import { FLAG, MOMENT, type Shape, type ValueOf } from './answers.js';
import { epochSeconds } from './epoch-seconds.js';
import type { Value } from './values.js';

interface Options {
  /** The name of the field's column, if it differs from the name of the field. */
  readonly column?: string;
  /** The sandbox itself may change the field after the creation; no PATCH accepts the field. */
  readonly mutable?: true;
  /** Lists can be filtered by this field. */
  readonly filter?: true;
}

interface Asked {
  /**
   * The only request that accepts the field; by default both the creation and PATCH accept the
   * field.
   */
  readonly only?: 'create' | 'patch';
  /** Required when the object is created. */
  readonly required?: true;
  /** Text that is appended to the field's description in requests only. */
  readonly asked?: string;
}

/** A field of a resource: its column, and its use in responses, requests and filters. */
export interface Field extends Options, Asked {
  /** The description of the field, with its unit. */
  readonly about?: string;
  readonly stored?: true;
  readonly out?: Shape;
  /** Converts the value of the column to the value of the field in responses. */
  readonly from?: (stored: never) => unknown;
  readonly compute?: (row: never, ...base: never) => unknown;
  readonly in?: Shape;
  readonly change?: Shape;
  readonly refers?: true;
}

export type Fields = Readonly<Record<string, Field>>;

interface Answered<W> {
  readonly about: string;
  readonly out: Shape<W>;
}

interface Taken<In, Change> {
  readonly in: Shape<In>;
  readonly change: Shape<Change>;
}

/** A field that the service sets: no request accepts it. */
export const answered = <W, V = W, const O extends Options = Options>(
  about: string,
  out: Shape<W>,
  options?: O & { readonly from?: (stored: V) => W },
) => ({ stored: true, about, out, ...options }) as Column<V> & Answered<W> & O;

/** A field computed from several columns or from joined rows; `baseUrl` is the public base URL. */
export const computed = <W, P extends object, B extends readonly [] | readonly [baseUrl: string]>(
  about: string,
  out: Shape<W>,
  compute: (row: P, ...base: B) => W,
) => ({ about, out, compute });

/** A field that requests set and responses return. */
export const field = <W, In, Change, V = W, const O extends Options & Asked = Options>(
  about: string,
  value: Value<W, In, Change>,
  options?: O & { readonly from?: (stored: V) => W },
) =>
  ({ stored: true, about, ...value, ...options }) as Column<V> &
    Answered<W> &
    Taken<In, Change> &
    O;

/** A field that requests set and responses never return. */
export const asked = <In, const O extends Asked = Asked>(
  about: string,
  taken: Shape<In>,
  options?: O,
) =>
  ({ about, in: taken, change: taken, ...options }) as { readonly about: string } & Taken<In, In> &
    O;

/** A filter by a value that is not in responses. */
export const filter = (about: string) => ({ about, filter: true }) as const;

export const CREATED = answered('The creation time, in epoch seconds.', MOMENT, {
  column: 'created_at',
  from: (at: Instant) => epochSeconds(at),
});
export const DELETED = answered('Whether the object was deleted.', FLAG, {
  column: 'deleted_at',
  mutable: true,
  from: (at: Instant | null) => at !== null,
});

type ColumnName<F, K> = F extends { readonly column: infer C extends string } ? C : K;

export type RowOf<F> = RowWith<typeof OWNED> & {
  readonly [
    K in keyof F as F[K] extends Column<unknown> ? ColumnName<F[K], K> : never
  ]: F[K] extends Column<infer V> ? V : never;
};

export type AnswerOf<F> = { readonly id: string } & {
  readonly [K in keyof F as F[K] extends { readonly out: Shape } ? K : never]: F[K] extends {
    readonly out: infer S;
  }
    ? ValueOf<S>
    : never;
};

type Needs<F> = {
  [K in keyof F]: F[K] extends { readonly compute: (row: infer P, ...base: never) => unknown }
    ? (row: P) => void
    : never;
}[keyof F];

/** The inputs of computed fields: columns and joined rows. */
export type Joined<F> = [Needs<F>] extends [never]
  ? unknown
  : Needs<F> extends (row: infer P) => void
    ? P
    : never;

type InOf<F> = F extends { readonly in: infer S } ? ValueOf<S> : never;

type CreateKey<F, K, Required> = F extends { readonly in: Shape }
  ? F extends { readonly only: 'patch' }
    ? never
    : F extends { readonly required: true }
      ? Required extends true
        ? K
        : never
      : Required extends true
        ? never
        : K
  : never;

type PatchKey<F, K> = F extends { readonly change: Shape }
  ? F extends { readonly only: 'create' }
    ? never
    : K
  : never;

export type CreateOf<F> = { readonly [K in keyof F as CreateKey<F[K], K, true>]: InOf<F[K]> } & {
  readonly [K in keyof F as CreateKey<F[K], K, false>]?: InOf<F[K]>;
};

export type PatchOf<F> = {
  readonly [K in keyof F as PatchKey<F[K], K>]?: F[K] extends { readonly change: infer S }
    ? ValueOf<S>
    : never;
};

/** The column values of a new object: null where the body omits the field. */
export type GivenOf<F> = {
  readonly [
    K in keyof F as F[K] extends Column<unknown>
      ? CreateKey<F[K], ColumnName<F[K], K>, true>
      : never
  ]: InOf<F[K]>;
} & {
  readonly [
    K in keyof F as F[K] extends Column<unknown>
      ? CreateKey<F[K], ColumnName<F[K], K>, false>
      : never
  ]: InOf<F[K]> | null;
};

/** The column values that the body of a PATCH sets. */
export type ChangesOf<F> = {
  readonly [
    K in keyof F as F[K] extends Column<unknown> ? PatchKey<F[K], ColumnName<F[K], K>> : never
  ]?: F[K] extends { readonly change: infer S } ? ValueOf<S> : never;
};

export type FiltersOf<F> = {
  readonly [K in keyof F as F[K] extends { readonly filter: true } ? K : never]?: string;
};

type Bases<F> = {
  [K in keyof F]: F[K] extends { readonly compute: (row: never, ...base: infer B) => unknown }
    ? B
    : never;
}[keyof F];

/** The additional parameter for responses that contain links: the public base URL. */
export type BaseOf<F> = [Extract<Bases<F>, readonly [string]>] extends [never]
  ? []
  : [baseUrl: string];
