/**
 * A schema of an OpenAPI document or an event.
 * @typedef {Record<string, any>} Schema
 */

/**
 * Escapes HTML and the braces of Vue templates in Markdown, except in inline code.
 * @param {unknown} text
 */
export const markdown = (text) =>
  String(text ?? '')
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '{ {'),
    )
    .join('')
    .replaceAll(/^(#+) /gm, '##$1 ');

/** Like `markdown`, but returns the text on one line. @param {unknown} text */
export const escaped = (text) => markdown(String(text ?? '').replaceAll(/\s+/g, ' '));

/** @param {Schema} document @param {Schema} [schema] @returns {Schema} */
export const resolved = (document, schema = {}) =>
  schema.$ref === undefined
    ? schema
    : {
        ...schema.$ref
          .split('/')
          .slice(1)
          .reduce((/** @type {Schema} */ node, /** @type {string} */ name) => node[name], document),
        ...(schema.description === undefined ? {} : { description: schema.description }),
      };

/**
 * The alternatives or parts of a composed schema (`oneOf`, `anyOf` or `allOf`).
 * @param {Schema} schema @returns {Schema[]}
 */
const choicesOf = (schema) => schema.oneOf ?? schema.anyOf ?? schema.allOf ?? [];

/** The schema without `null` as an alternative. @param {Schema} document @param {Schema} given */
const withoutNull = (document, given) => {
  const schema = resolved(document, given);
  const [only, ...more] = choicesOf(schema).filter(({ type }) => type !== 'null');
  return only === undefined || more.length > 0
    ? schema
    : { description: schema.description, ...resolved(document, only) };
};

/** @param {Schema} document @param {Schema} given @returns {string} */
export const typeOf = (document, given) => {
  const schema = resolved(document, given);
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) {
    return schema.enum.map((/** @type {string | null} */ one) => `\`${one ?? 'null'}\``).join(' ');
  }
  const choices = choicesOf(schema);
  if (choices.length > 0) {
    return [...new Set(choices.map((one) => typeOf(document, one)))].join(' or ');
  }
  const types = [schema.type ?? 'object'].flat();
  const name = types
    .map((type) => (type === 'array' ? `list of ${typeOf(document, schema.items)}` : type))
    .join(' or ');
  return schema.format === undefined ? name : `${name} (${schema.format})`;
};

/**
 * A Markdown list item with the name, type and description of a field.
 * @param {string} name @param {string} type @param {boolean} isRequired @param {unknown} meaning
 */
export const line = (name, type, isRequired, meaning) => {
  const need = isRequired ? ' <span class="needed">required</span>' : '';
  const text = escaped(meaning);
  const more = text === '' ? '' : `\\\n  ${text}`;
  return `- \`${name}\` <span class="type">${type}</span>${need}${more}`;
};

/** The maximum depth of nested fields in a list of fields. */
const MAX_DEPTH = 5;

/**
 * The fields of an object as a Markdown list. Fields of nested objects are listed by their paths.
 * @param {Schema} document @param {Schema} given @param {string} [prefix] @param {number} [depth]
 * @returns {string[]}
 */
export const fieldList = (document, given, prefix = '', depth = 0) => {
  const { properties = {}, required = [] } = withoutNull(document, given);
  return Object.entries(properties).flatMap(([name, field]) => {
    const schema = withoutNull(document, field);
    const items = schema.type === 'array' ? withoutNull(document, schema.items) : schema;
    const path = `${prefix}${name}`;
    const meaning = field.description ?? schema.description;
    const inner = schema.type === 'array' ? `${path}[].` : `${path}.`;
    return [
      line(path, typeOf(document, field), required.includes(name), meaning),
      ...(depth < MAX_DEPTH ? fieldList(document, items, inner, depth + 1) : []),
    ];
  });
};

const INSTANT = '2026-03-04T12:00:00.000Z';
const BY_FORMAT = { 'date-time': INSTANT, date: '2026-03-04', uri: 'https://shop.example/' };
/**
 * Match an example value in a field's description: "e.g. `eur`", or an id's prefix such as
 * "`ord_…`".
 */
const SAID = [/e\.g\. `([^`]+)`/, /`([a-z]+_…)`/];

const BY_NAME = { merchantId: 'merchant-7', platformId: 'shop', reference: 'cart-1001' };

/** @param {Schema} schema @param {readonly string[]} types @param {string} name */
const plainExample = ({ description = '', format = '' }, types, name) => {
  const [type] = types;
  const said = SAID.map((pattern) => pattern.exec(description)?.[1]).find(Boolean);
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') {
    return Number.isFinite(Number(said)) ? Number(said) : name.endsWith('Minor') ? 4250 : 1;
  }
  const found = BY_FORMAT[format] ?? said ?? BY_NAME[name];
  return found ?? (types.includes('null') ? null : '…');
};

/**
 * An example of a value that satisfies a schema.
 * @param {Schema} document @param {Schema} given @param {string} [name] @param {number} [depth]
 * @returns {unknown}
 */
export const exampleOf = (document, given, name = '', depth = 0) => {
  const { description, ...own } = given;
  const schema = { ...withoutNull(document, own), ...(description && { description }) };
  if (schema.example !== undefined) return schema.example;
  if (name === 'currency') return 'eur';
  const first = schema.const ?? schema.default ?? schema.enum?.[0] ?? schema.examples?.[0];
  if (first !== undefined) return first;
  const [choice] = choicesOf(schema);
  if (choice !== undefined) return exampleOf(document, choice, name, depth + 1);
  const types = [schema.type ?? 'object'].flat();
  if (types.includes('array')) {
    return depth > MAX_DEPTH ? [] : [exampleOf(document, schema.items, name, depth + 1)];
  }
  if (!types.includes('object')) return plainExample(schema, types, name);
  const fields = Object.entries(schema.properties ?? {});
  return depth > MAX_DEPTH
    ? {}
    : Object.fromEntries(
        fields.map(([key, one]) => [key, exampleOf(document, one, key, depth + 1)]),
      );
};
