import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../tools/infra/paths.mjs';
import { cell, fieldTable, typeOf } from './fields.mjs';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** @param {Record<string, any>} document @param {Record<string, any>} schema */
const resolved = (document, schema = {}) =>
  schema.$ref === undefined
    ? schema
    : schema.$ref
        .split('/')
        .slice(1)
        .reduce((node, name) => node[name], document);

/** @param {Record<string, any>} document @param {string} path @param {string} method */
const operation = (document, path, method) => {
  const {
    summary,
    description,
    parameters = [],
    requestBody,
    responses = {},
  } = document.paths[path][method];
  const given = parameters.map((one) => resolved(document, one));
  const body = Object.values(resolved(document, requestBody).content ?? {})[0]?.schema;
  const table = given.map(
    ({ name, in: place, required, schema, description: meaning }) =>
      `| \`${name}\` | ${place}, ${cell(typeOf(schema))} | ${required ? 'yes' : ''} | ${cell(meaning)} |`,
  );
  return [
    `### ${method.toUpperCase()} ${path}`,
    cell(summary),
    cell(description),
    table.length === 0
      ? ''
      : ['| Parameter | Type | Required | Meaning |', '| --- | --- | --- | --- |', ...table].join(
          '\n',
        ),
    body === undefined ? '' : `Body: ${cell(typeOf(body))}`,
    fieldTable(resolved(document, body)),
    ['| Response | Meaning |', '| --- | --- |']
      .concat(
        Object.entries(responses).map(
          ([status, one]) => `| ${status} | ${cell(resolved(document, one).description)} |`,
        ),
      )
      .join('\n'),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
};

/**
 * A page of an OpenAPI document, with a section for each tag.
 * @param {string} name
 * @param {string} title
 */
export const openApiPage = (name, title) => {
  const file = join(ROOT, 'docs', 'generated', `openapi.${name}.json`);
  const document = JSON.parse(readFileSync(file, 'utf8'));
  /** @type {Map<string, string[]>} */
  const sections = new Map();
  for (const path of Object.keys(document.paths)) {
    for (const method of METHODS.filter((one) => one in document.paths[path])) {
      const tag = document.paths[path][method].tags?.[0] ?? 'Other';
      sections.set(tag, [...(sections.get(tag) ?? []), operation(document, path, method)]);
    }
  }
  return [
    `# ${title}`,
    cell(document.info.description),
    ...[...sections].map(([tag, operations]) => [`## ${tag}`, ...operations].join('\n\n')),
  ].join('\n\n');
};
