import { assert } from '#kernel';
import {
  type ApiDocument,
  type ApiOperation,
  type DocumentSchema,
  operationsOf,
  resolved,
} from './api-document.js';

const RESERVED = new Set(['from', 'import', 'class', 'global', 'in', 'is']);

/** Converts a name such as `merchantId` to snake case, `merchant_id`. */
const snake = (name: string): string => {
  const text = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
  return RESERVED.has(text) ? `${text}_` : text;
};

const quoted = (value: unknown): string => JSON.stringify(value);

const TYPES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  boolean: 'bool',
  object: 'Mapping[str, Any]',
};

/** The Python type of a parameter, form field or response. */
const typeOf = (schema: DocumentSchema): string => {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `models.${name === 'CloudEvent' ? 'PublishedEvent' : name}`;
  }
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(quoted).join(', ')}]`;
  if (schema.format === 'binary') return 'bytes';
  if (schema.type === 'array') return `Sequence[${typeOf(schema.items ?? {})}]`;
  const type = TYPES[String(schema.type)];
  assert(type !== undefined, `${JSON.stringify(schema)} must have a Python type`);
  return type;
};

interface Argument {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

const argument = (name: string, type: string, isRequired: boolean): Argument => ({
  name,
  type,
  isRequired,
});

/** The fields of a multipart form, each of which is sent as a separate part. */
const formFields = ({ body }: ApiOperation): readonly Argument[] => {
  const schema = body?.content['multipart/form-data']?.schema;
  const required = (schema?.['required'] ?? []) as readonly string[];
  return Object.entries(schema?.properties ?? {}).map(([name, field]) =>
    argument(name, typeOf(field), required.includes(name)),
  );
};

const jsonBody = ({ body }: ApiOperation): readonly Argument[] => {
  const schema = body?.content['application/json']?.schema;
  if (schema === undefined) return [];
  return [argument('body', typeOf(schema), body?.isRequired === true)];
};

const parametersIn = (operation: ApiOperation, place: 'path' | 'query'): readonly Argument[] =>
  operation.parameters
    .filter((one) => one.in === place)
    .map(({ name, required, schema }) => argument(name, typeOf(schema), required));

const written = ({ name, type, isRequired }: Argument): string =>
  isRequired ? `${snake(name)}: ${type}` : `${snake(name)}: ${type} | None = None`;

/** The parameters of a method. Those after `*` must be passed by keyword. */
const signature = (operation: ApiOperation, format?: string): readonly string[] => {
  const positional = [...parametersIn(operation, 'path'), ...jsonBody(operation)];
  const named = [...parametersIn(operation, 'query'), ...formFields(operation)].map((one) =>
    one.name === 'format' && format !== undefined ? { ...one, type: `Literal["${format}"]` } : one,
  );
  const key = operation.method === 'POST' ? [argument('idempotencyKey', 'str', false)] : [];
  const wait = operation.canWait ? [argument('waitSeconds', 'int', false)] : [];
  const keywords = [...named, ...key, ...wait].toSorted(
    (a, b) => Number(b.isRequired) - Number(a.isRequired),
  );
  return [
    'self',
    ...positional.map(written),
    ...(keywords.length === 0 ? [] : ['*', ...keywords.map(written)]),
  ];
};

/**
 * The Python type of the response. A download is a string or a list of rows, depending on the
 * format.
 */
const answerType = (document: ApiDocument, operation: ApiOperation, format?: string): string => {
  const { answer, isPaged } = operation;
  const json = answer['application/json'] ?? answer['application/cloudevents+json'];
  if (format !== undefined && json !== undefined) {
    return format === 'csv' ? 'str' : `list[${typeOf(json.schema.items ?? {})}]`;
  }
  if (json === undefined) {
    return 'application/octet-stream' in answer ? 'bytes' : 'None';
  }
  if (!isPaged) return typeOf(json.schema);
  const items = resolved(document, json.schema).properties?.['items'];
  return `Listing[${typeOf(items?.items ?? {})}, ${typeOf(json.schema)}]`;
};

const head = (document: ApiDocument, operation: ApiOperation, format?: string): string => {
  const type = answerType(document, operation, format);
  return `    ${block('    ', [`def ${snake(operation.id)}(`, `) -> ${type}:`], signature(operation, format))}`;
};

const MAX_COLUMNS = 100;

/** Formats a list in one line if it fits, otherwise with one item in each line. */
const block = (
  indent: string,
  [open, close]: readonly [string, string],
  parts: readonly string[],
): string => {
  const inline = `${open}${parts.join(', ')}${close}`;
  if (!inline.includes('\n') && indent.length + inline.length < MAX_COLUMNS) return inline;
  return `${open}\n${parts.map((part) => `${indent}    ${part},\n`).join('')}${indent}${close}`;
};

const dictOf = (
  indent: string,
  keyword: string,
  entries: readonly Argument[],
): readonly string[] => {
  if (entries.length === 0) return [];
  const parts = entries.map(({ name }) => `"${name}": ${snake(name)}`);
  return [block(indent, [`${keyword}={`, '}'], parts)];
};

const BODY = ' '.repeat(8);

/** The Python statement that sends the operation's request. */
const call = (operation: ApiOperation): string => {
  const { method, path, isPaged, answerKind } = operation;
  const indent = `${BODY}    `;
  const parts = [
    `"${method}"`,
    `"${path}"`,
    ...dictOf(indent, 'path', parametersIn(operation, 'path')),
    ...dictOf(indent, 'query', parametersIn(operation, 'query')),
    ...(jsonBody(operation).length > 0 ? ['body=body'] : []),
    ...dictOf(indent, 'form', formFields(operation)),
    ...(method === 'POST' ? ['idempotency_key=idempotency_key'] : []),
    ...(operation.canWait ? ['wait_seconds=wait_seconds'] : []),
    ...(answerKind === 'json' ? [] : [`answer="${answerKind}"`]),
  ];
  return isPaged
    ? `return self._listing(${block(BODY, ['', ')'], parts)}`
    : `return self._request(${block(BODY, ['', ')'], parts)}`;
};

const docString = ({ summary, description }: ApiOperation): string => {
  const text = [summary, description].filter((one) => one !== '').join('. ');
  return `        """${text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\')}"""\n`;
};

const methodOf = (document: ApiDocument, operation: ApiOperation): string => {
  const formats = 'text/csv' in operation.answer ? ['csv', 'json'] : [];
  const overloads = formats.map(
    (format) => `    @overload\n${head(document, operation, format)} ...\n`,
  );
  const whole =
    formats.length === 0
      ? head(document, operation)
      : head(document, operation).replace(/-> .*:$/, '-> Any:');
  return `${overloads.join('\n')}${overloads.length > 0 ? '\n' : ''}${whole}\n${docString(operation)}${BODY}${call(operation)}\n`;
};

/** The Python code of a class with a method for each operation. */
export const pythonOperations = (document: ApiDocument): string => {
  const all = operationsOf(document);
  const names = all.map(({ id }) => snake(id));
  assert(new Set(names).size === names.length, 'the names of the methods must be unique');
  return [
    '',
    'from abc import ABC, abstractmethod',
    'from collections.abc import Mapping, Sequence',
    'from typing import Any, Literal, overload',
    '',
    'from . import models',
    'from .listing import Listing',
    '',
    '# What a response contains: JSON; JSON or CSV; a file of any media type; nothing.',
    'Answer = Literal["json", "download", "file", "none"]',
    '',
    '',
    'class Operations(ABC):',
    '    """A method for each operation of the API."""',
    '',
    '    @abstractmethod',
    '    def _request(',
    '        self,',
    '        method: str,',
    '        template: str,',
    '        *,',
    '        path: Mapping[str, object] = {},',
    '        query: Mapping[str, Any] = {},',
    '        body: Mapping[str, Any] | None = None,',
    '        form: Mapping[str, Any] | None = None,',
    '        idempotency_key: str | None = None,',
    '        wait_seconds: int | None = None,',
    '        answer: Answer = "json",',
    '    ) -> Any: ...',
    '',
    '    def _listing(',
    '        self,',
    '        method: str,',
    '        template: str,',
    '        *,',
    '        path: Mapping[str, object] = {},',
    '        query: Mapping[str, Any] = {},',
    '    ) -> Listing[Any, Any]:',
    '        return Listing(',
    '            lambda page: self._request(method, template, path=path, query={**query, **page})',
    '        )',
    '',
    all.map((one) => methodOf(document, one)).join('\n'),
  ].join('\n');
};
