/**
 * The paths of all properties in an OpenAPI document, at any depth, that have neither a description
 * nor a reference to a schema.
 */
export const undescribedProperties = (node: unknown, path = ''): readonly string[] => {
  if (typeof node !== 'object' || node === null) return [];
  const { type, properties } = node as { type?: unknown; properties?: Record<string, object> };
  const direct = [type].flat().includes('object') ? Object.entries(properties ?? {}) : [];
  return [
    ...direct.flatMap(([name, schema]) =>
      'description' in schema || '$ref' in schema ? [] : [`${path}.${name}`],
    ),
    ...Object.entries(node).flatMap(([key, value]) =>
      undescribedProperties(value, `${path}/${key}`),
    ),
  ];
};
