import { addressOf, anchorsOf, openApi, sectionsOf } from './documents.mjs';
import { escaped, exampleOf, fieldList, line, markdown, resolved, typeOf } from './schemas.mjs';

/** @typedef {import('./documents.mjs').Route} Route */
/** @typedef {Record<string, any>} Schema */

const badge = (/** @type {string} */ method) =>
  `<span class="method ${method}">${method.toUpperCase()}</span>`;

const shownPath = (/** @type {string} */ path) => path.replaceAll('{{', '{ {');

/** The body of a request or a response: its media type and schema. @param {Schema} [body] */
const bodyOf = (body) => Object.entries(body?.content ?? {})[0] ?? [];

/** The example of a body: the first documented example, or an example made from the schema. */
const exampleBody = (
  /** @type {Schema} */ document,
  /** @type {Schema} */ { examples, example, schema },
) => Object.values(examples ?? {})[0]?.value ?? example ?? exampleOf(document, schema ?? {});

const fence = (/** @type {string} */ language, /** @type {string} */ code) =>
  `\`\`\`${language}\n${code}\n\`\`\``;

const indented = (/** @type {unknown} */ value) => JSON.stringify(value, null, 2);

/** @param {Schema} document @param {Route} route @param {readonly Schema[]} parameters */
const curl = (document, { method, path, operation }, parameters) => {
  const [media, body] = bodyOf(resolved(document, operation.requestBody));
  const [{ url = '' } = {}, ...others] = (document.servers ?? []).toReversed();
  const base =
    url.startsWith('/') && others.length === 0 ? `https://…${url.replace(/\/$/, '')}` : url;
  const headers = parameters
    .filter((one) => one.in === 'header' && one.required)
    .map(({ name }) => `-H '${name}: …'`);
  const needed = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name }) => `${name}=…`);
  const query = needed.length === 0 ? '' : `?${needed.join('&')}`;
  const isJson = media === 'application/json';
  const lines = [
    `curl ${method === 'get' || isJson ? '' : `-X ${method.toUpperCase()} `}'${base}${path}${query}'`,
    document.servers?.length > 1 ? '-H "Authorization: Bearer $KEY"' : '',
    ...headers,
    isJson ? "-H 'Content-Type: application/json'" : '',
    isJson ? `-d '${indented(exampleBody(document, body))}'` : '',
  ].filter((one) => one !== '');
  return lines.join(' \\\n  ');
};

/** @param {Schema} document @param {Schema} responses */
const answers = (document, responses) => {
  const rows = Object.entries(responses).map(
    ([status, one]) => `| ${status} | ${escaped(resolved(document, one).description)} |`,
  );
  return ['| Status | Meaning |', '| --- | --- |', ...rows].join('\n');
};

/** The first successful response. @param {Schema} document @param {Schema} responses */
const success = (document, responses) => {
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  return { status, body: bodyOf(resolved(document, response)) };
};

const folded = (/** @type {string} */ title, /** @type {readonly string[]} */ lines) =>
  lines.length === 0
    ? ''
    : `<details><summary>${title}</summary>\n\n${lines.join('\n')}\n\n</details>`;

/** @param {Schema} document @param {Route} route */
const about = (document, { operation }) => {
  const { description, parameters = [], requestBody, responses = {} } = operation;
  const given = parameters.map((/** @type {Schema} */ one) => resolved(document, one));
  const [, request] = bodyOf(resolved(document, requestBody));
  const fields = fieldList(document, request?.schema);
  const {
    body: [, answer],
  } = success(document, responses);
  return [
    markdown(description),
    given.length === 0 ? '' : '#### Parameters',
    given
      .map((/** @type {Schema} */ one) =>
        line(one.name, `${typeOf(document, one.schema)}, ${one.in}`, one.required, one.description),
      )
      .join('\n'),
    fields.length === 0 ? '' : '#### Body',
    fields.join('\n'),
    '#### Answers',
    answers(document, responses),
    folded('Fields of the answer', fieldList(document, answer?.schema)),
  ];
};

/** @param {Schema} document @param {Route} route */
const samples = (document, route) => {
  const { parameters = [], responses = {} } = route.operation;
  const given = parameters.map((/** @type {Schema} */ one) => resolved(document, one));
  const {
    status,
    body: [media, answer],
  } = success(document, responses);
  const isJson = media?.endsWith('json') && answer?.schema !== undefined;
  return [
    fence('sh', curl(document, route, given)),
    isJson ? `**${status}**\n\n${fence('json', indented(exampleBody(document, answer)))}` : '',
  ];
};

/** @param {Schema} document @param {Route} route @param {boolean} hasSamples */
const operationPart = (document, route, hasSamples) => {
  const parts = [
    `## ${escaped(route.summary)}`,
    `<p class="route">${badge(route.method)} <code v-pre>${shownPath(route.path)}</code></p>`,
    `<div class="operation${hasSamples ? ' with-samples' : ''}"><div>`,
    ...about(document, route),
    '</div>',
    ...(hasSamples ? ['<div class="samples">', ...samples(document, route), '</div>'] : []),
    '</div>',
  ];
  return parts.filter((text) => text !== '').join('\n\n');
};

/**
 * The page of one section of an OpenAPI document. Only the platforms' API has code samples, because
 * the console's API has no other clients, and the sandbox serves separate reference pages.
 * @param {string} name @param {string} slug
 */
export const sectionPage = (name, slug) => {
  const document = openApi(name);
  const section = sectionsOf(name).find((one) => one.slug === slug);
  const routes = section?.routes ?? [];
  return [
    `# ${section?.tag}`,
    ...routes.map((one) => operationPart(document, one, name === 'api')),
  ].join('\n\n');
};

/** @param {string} name @param {import('./documents.mjs').Section} section */
const contents = (name, { tag, slug, routes }) => {
  const anchors = anchorsOf(routes.map(({ summary }) => summary));
  const rows = routes.map(({ method, path, summary }, index) => {
    const link = `${addressOf(name, slug)}#${anchors[index]}`;
    return `<li><a href="${link}">${badge(method)} <code v-pre>${shownPath(path)}</code><span>${escaped(summary)}</span></a></li>`;
  });
  return `## ${tag}\n\n<ul class="routes">\n${rows.join('\n')}\n</ul>`;
};

/**
 * The first page of an OpenAPI document: the document's description and a list of its operations.
 */
export const overviewPage = (/** @type {string} */ name, /** @type {string} */ title) =>
  [
    `# ${title}`,
    markdown(openApi(name).info.description),
    ...sectionsOf(name).map((section) => contents(name, section)),
  ].join('\n\n');
