/** Escapes text for a Markdown table, which Vue compiles. @param {unknown} text */
export const cell = (text) =>
  String(text ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '{ {')
    .replaceAll('|', '\\|');

/** @param {Record<string, any>} schema @returns {string} */
export const typeOf = (schema = {}) => {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' or ');
  const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (choices !== undefined) return choices.map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`;
  const type = [schema.type ?? 'object'].flat().join(' or ');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
};

/**
 * A table of an object's fields; an empty text if the object has none.
 * @param {Record<string, any>} schema
 */
export const fieldTable = ({ properties = {}, required = [] } = {}) => {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const need = required.includes(name) ? 'yes' : '';
    return `| \`${name}\` | ${cell(typeOf(schema))} | ${need} | ${cell(schema.description)} |`;
  });
  if (rows.length === 0) return '';
  return ['| Field | Type | Required | Meaning |', '| --- | --- | --- | --- |', ...rows, ''].join(
    '\n',
  );
};
