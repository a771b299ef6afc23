import type { Instant } from '#kernel';
import type { Column, OWNED, RowWith } from '../storage/table.js';
import { FLAG, MOMENT, type Shape, type ValueOf } from './answers.js';
import { epochSeconds } from './epoch-seconds.js';
import type { Value } from './values.js';

interface Options {
  /** The column, where its name differs from the field's. */
  readonly column?: string;
  /** Also without a PATCH that accepts it. */
  readonly mutable?: true;
  /** Its list can be filtered by it. */
  readonly filter?: true;
}

interface Asked {
  /** The only request that accepts it; by default both do. */
  readonly only?: 'create' | 'patch';
  /** At creation. */
  readonly required?: true;
  /** The description's part for requests only. */
  readonly asked?: string;
}

/** A field of a resource: its part in row, answer, requests and filters. */
export interface Field extends Options, Asked {
  /** Its description, with its unit. */
  readonly about?: string;
  readonly stored?: true;
  readonly out?: Shape;
  /** From the column's value to the answer's. */
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

/** A field computed from several columns, or from joined rows; `baseUrl` is the browser's. */
export const computed = <W, P extends object, B extends readonly [] | readonly [baseUrl: string]>(
  about: string,
  out: Shape<W>,
  compute: (row: P, ...base: B) => W,
) => ({ about, out, compute });

/** A field that requests set and answers repeat. */
export const field = <W, In, Change, V = W, const O extends Options & Asked = Options>(
  about: string,
  value: Value<W, In, Change>,
  options?: O & { readonly from?: (stored: V) => W },
) =>
  ({ stored: true, about, ...value, ...options }) as Column<V> &
    Answered<W> &
    Taken<In, Change> &
    O;

/** A field that requests set and no answer repeats. */
export const asked = <In, const O extends Asked = Asked>(
  about: string,
  taken: Shape<In>,
  options?: O,
) =>
  ({ about, in: taken, change: taken, ...options }) as { readonly about: string } & Taken<In, In> &
    O;

/** A filter by a value that the answer does not contain. */
export const filter = (about: string) => ({ about, filter: true }) as const;

export const CREATED = answered('When it was made, in epoch seconds.', MOMENT, {
  column: 'created_at',
  from: (at: Instant) => epochSeconds(at),
});
export const DELETED = answered('Whether it was deleted.', FLAG, {
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

/** The inputs of the computed fields: columns, and joined rows. */
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

/** The columns that a create sets: null where the body omits them. */
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

/** The columns that a patch sets. */
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

/** The answer's inputs besides the row: the base address of pages, where it links to one. */
export type BaseOf<F> = [Extract<Bases<F>, readonly [string]>] extends [never]
  ? []
  : [baseUrl: string];
