import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The keywords of a JSON schema that the client generators read. */
export interface DocumentSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: DocumentSchema;
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly [keyword: string]: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: DocumentSchema;
}

type Content = Readonly<
  Record<string, { readonly schema: DocumentSchema; readonly examples?: object }>
>;

/**
 * The kind of content of a successful response. `download`: JSON or CSV. `file`: a file of any
 * media type.
 */
export type AnswerKind = 'json' | 'download' | 'file' | 'none';

export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The parameters in path and query. */
  readonly parameters: readonly Parameter[];
  /** The content of the request's body, by media type; null: no body. */
  readonly body: { readonly isRequired: boolean; readonly content: Content } | null;
  /** The content of the successful response (status 2xx), by media type. */
  readonly answer: Content;
  readonly answerKind: AnswerKind;
  /** Whether the operation returns a page of a list. */
  readonly isPaged: boolean;
  /** Whether a request may ask the API to delay its response (`Prefer: wait=2`). */
  readonly canWait: boolean;
}

interface WrittenOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The parts of the platforms' OpenAPI document that the client generators read. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, DocumentSchema>> };
}

export const readApiDocument = (root: string): ApiDocument =>
  JSON.parse(readFileSync(join(root, 'docs/generated/openapi.api.json'), 'utf8')) as ApiDocument;

/** The schema, or the named schema to which its `$ref` refers. */
export const resolved = (document: ApiDocument, schema: DocumentSchema): DocumentSchema =>
  schema.$ref === undefined
    ? schema
    : (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});

const answerOf = ({ responses }: WrittenOperation): Content =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {};

const answerKindOf = (answer: Content): AnswerKind => {
  if ('text/csv' in answer) return 'download';
  if ('application/octet-stream' in answer) return 'file';
  return Object.keys(answer).length === 0 ? 'none' : 'json';
};

/**
 * Whether the parameter is the header `Prefer`, by which a request asks the API to delay the
 * response.
 */
export const isPrefer = ({ name }: Parameter): boolean => name === 'Prefer';

/**
 * The operations for which clients have methods, which are all except streams of server-sent
 * events.
 */
export const operationsOf = (document: ApiDocument): readonly ApiOperation[] =>
  Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): ApiOperation => {
        const { operationId, summary = '', description = '', requestBody } = operation;
        const answer = answerOf(operation);
        const { properties = {} } = resolved(document, answer['application/json']?.schema ?? {});
        return {
          id: operationId,
          method: method.toUpperCase(),
          path,
          summary,
          description,
          parameters: (operation.parameters ?? []).filter((one) => one.in !== 'header'),
          body:
            requestBody === undefined
              ? null
              : { isRequired: requestBody.required === true, content: requestBody.content },
          answer,
          answerKind: answerKindOf(answer),
          isPaged: 'nextCursor' in properties,
          canWait: (operation.parameters ?? []).some(isPrefer),
        };
      }),
    )
    .filter(({ answer }) => !('text/event-stream' in answer));

/** All error codes in the document. */
export const errorCodesOf = ({ paths }: ApiDocument): readonly string[] => {
  const responses = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => Object.values(operation.responses)),
  );
  const codes = responses.flatMap(({ content }) =>
    Object.keys(content?.['application/problem+json']?.examples ?? {}),
  );
  return [...new Set(codes)].sort();
};
