import type { Listing } from './listing.js';

/**
 * The type of an operation's path parameters, query parameters or body; `unknown` if it has none.
 */
type Part<Value> = [NonNullable<Value>] extends [never] ? unknown : NonNullable<Value>;

type Parameters<Operation> = Operation extends {
  readonly parameters: { readonly path?: infer Path; readonly query?: infer Query };
}
  ? Part<Path> & Part<Query>
  : unknown;

type Body<Operation> = Operation extends { readonly requestBody?: infer Request }
  ? [NonNullable<Request>] extends [{ readonly content: infer Content }]
    ? Part<Content[keyof Content]>
    : unknown
  : unknown;

/** Path parameters, query parameters and fields of the body in one object. */
export type Input<Operation> = Parameters<Operation> & Body<Operation>;

type Response<Operation> = Operation extends { readonly responses: infer Responses }
  ? Responses[keyof Responses]
  : never;

type Content<Operation> =
  Response<Operation> extends { readonly content: infer Media } ? Media : never;

type Output<Operation> = [Content<Operation>] extends [never]
  ? void
  : Content<Operation>[keyof Content<Operation>];

export interface RequestOptions {
  /**
   * Default: a new key. To repeat an earlier request, e.g. after a crash, pass the key of that
   * request.
   */
  readonly idempotencyKey?: string;
  /**
   * Aborts the request, which may have been executed nevertheless. It can be repeated safely only
   * if it was sent with an `idempotencyKey` of your own.
   */
  readonly signal?: AbortSignal;
}

/** The options of a request whose response may wait until the payment page exists. */
export interface WaitOptions extends RequestOptions {
  /** How long the response may wait for the payment page: at most 10 seconds. Default: 0. */
  readonly waitSeconds?: number;
}

type Options<Operation> = Operation extends {
  readonly parameters: { readonly header?: infer Header };
}
  ? [NonNullable<Header>] extends [never]
    ? RequestOptions
    : WaitOptions
  : RequestOptions;

/** The arguments of a method; the input may be left out if all of it is optional. */
type Arguments<Operation> =
  {} extends Input<Operation>
    ? [input?: Input<Operation>, options?: Options<Operation>]
    : [input: Input<Operation>, options?: Options<Operation>];

type Page = { readonly items: readonly unknown[]; readonly nextCursor: string | null };

/** A method that downloads a list: as text if the format is CSV, otherwise as rows. */
type Download<In, Media> = Media extends {
  readonly 'text/csv': infer Text;
  readonly 'application/json': infer Rows;
}
  ? <const I extends In>(
      input: I,
      options?: RequestOptions,
    ) => Promise<I extends { readonly format: 'csv' } ? Text : Rows>
  : never;

/** The method of the client for an operation. */
export type Method<Operation> = [Download<Input<Operation>, Content<Operation>>] extends [never]
  ? Output<Operation> extends Page
    ? (
        ...args: Arguments<Operation>
      ) => Listing<Output<Operation>['items'][number], Output<Operation>>
    : (...args: Arguments<Operation>) => Promise<Output<Operation>>
  : Download<Input<Operation>, Content<Operation>>;
