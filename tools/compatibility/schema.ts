/**
 * What breaks between two versions of a JSON schema. Values have a writer and a reader: the client
 * writes requests and reads responses and events. A change breaks clients if the writer may now
 * write what the reader does not expect, or no longer writes what the reader waits for.
 *
 * Clients ignore fields, events and values of enumerations that they do not know, so that a release
 * may add some (docs/concepts.md, Compatibility); it may not remove any.
 */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

/** The reader of a value: the service reads requests, and the client reads responses and events. */
export type Reader = 'service' | 'client';

/** The named schemas of a document, to which a `$ref` refers. */
export type Named = Readonly<Record<string, Schema>>;

const LOWER_LIMITS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_LIMITS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const EXACT = ['pattern', 'format', 'multipleOf', 'uniqueItems'];

const isWithin = (keyword: string, inner: unknown, outer: unknown): boolean => {
  if (outer === undefined) return true;
  if (inner === undefined) return false;
  if (LOWER_LIMITS.includes(keyword)) return Number(inner) >= Number(outer);
  if (UPPER_LIMITS.includes(keyword)) return Number(inner) <= Number(outer);
  return inner === outer;
};

const textOf = (value: unknown): string =>
  value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);

const union = <T>(one: readonly T[] | undefined, other: readonly T[] | undefined) =>
  one && other ? [...new Set([...one, ...other])] : (one ?? other);

/** Combines two schemas into one that requires what both require. */
const merged = (one: Schema, other: Schema): Schema => {
  const properties = { ...one.properties, ...other.properties };
  const required = union(one.required, other.required);
  return {
    ...one,
    ...other,
    ...(one.properties || other.properties ? { properties } : {}),
    ...(required ? { required } : {}),
  };
};

const below =
  (at: string) =>
  (line: string): string =>
    `${at}${line}`;

const typeOfValue = (value: unknown): string =>
  value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value;

const valuesOf = (schema: Schema): readonly unknown[] | undefined =>
  schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);

const typesOf = (schema: Schema): readonly string[] => {
  if (schema.type !== undefined) return [schema.type].flat() as readonly string[];
  if (schema.properties) return ['object'];
  return [...new Set((valuesOf(schema) ?? []).map(typeOfValue))];
};

/** A schema for values of a single type, without references and alternatives. */
interface Plain extends Schema {
  readonly type: string;
}

const ofTypes = (schema: Schema): readonly Plain[] => {
  const { const: _const, ...rest } = schema;
  const types = typesOf(schema);
  return (types.length === 0 ? ['any'] : types).map((type) => {
    const values = valuesOf(schema)?.filter((one) => (one === null) === (type === 'null'));
    return { ...rest, type, ...(values ? { enum: values } : {}) };
  });
};

/** Merges alternatives that are enumerations of the same type into one enumeration. */
const joined = (choices: readonly Plain[]): readonly Plain[] =>
  choices.reduce<readonly Plain[]>((all, choice) => {
    const known = all.find((one) => one.type === choice.type && one.enum && choice.enum);
    if (!known) return [...all, choice];
    return all.map((one) =>
      one === known ? { ...one, enum: union(one.enum, choice.enum) ?? [] } : one,
    );
  }, []);

/**
 * The alternatives of a schema, each of a single type. Resolves references, `allOf`, `oneOf`,
 * `anyOf` and lists of types.
 */
const choicesOf = (schema: Schema, named: Named): readonly Plain[] => {
  const { $ref, allOf, oneOf, anyOf, ...rest } = schema;
  if ($ref !== undefined) {
    const found = named[$ref.split('/').at(-1) ?? ''];
    if (!found) throw new Error(`${$ref} is missing in the document`);
    return choicesOf(merged(found, { ...rest, allOf, oneOf, anyOf } as Schema), named);
  }
  const [part, ...parts] = allOf ?? [];
  if (part) {
    const others = { ...rest, allOf: parts, oneOf, anyOf } as Schema;
    return choicesOf(part, named).flatMap((one) => choicesOf(merged(one, others), named));
  }
  const choices = [...(oneOf ?? []), ...(anyOf ?? [])];
  if (choices.length === 0) return ofTypes(rest);
  return joined(
    choices.flatMap((one) =>
      choicesOf(one, named).flatMap((plain) => choicesOf(merged(rest, plain), named)),
    ),
  );
};

const isOfType = (written: Plain, read: Plain): boolean =>
  read.type === 'any' ||
  read.type === written.type ||
  (read.type === 'number' && written.type === 'integer');

/**
 * The name of an alternative in the report: its type, and also its fields if another alternative
 * has the same type.
 */
const nameOf = (choice: Plain, others: readonly Plain[]): string => {
  const fields = Object.keys(choice.properties ?? {}).join(', ');
  const isAmbiguous = fields !== '' && others.some((one) => isOfType(one, choice));
  return isAmbiguous ? `${choice.type} of ${fields}` : choice.type;
};

export class SchemaComparison {
  /**
   * The breaking changes of each named schema. A schema is added before it is compared, because it
   * may refer to itself.
   */
  private readonly known = new Map<string, readonly string[]>();

  constructor(
    private readonly before: Named,
    private readonly after: Named,
  ) {}

  /** The breaking changes, one line for each: `<at>.<field>: <what>`. */
  changes(at: string, before: Schema, after: Schema, reader: Reader): readonly string[] {
    const name = `${reader} ${before.$ref} ${after.$ref}`;
    if (!before.$ref || !after.$ref) return this.compared(before, after, reader).map(below(at));
    if (!this.known.has(name)) {
      this.known.set(name, []);
      this.known.set(name, this.compared(before, after, reader));
    }
    return (this.known.get(name) ?? []).map(below(at));
  }

  private compared(before: Schema, after: Schema, reader: Reader): readonly string[] {
    const [was, is] = [choicesOf(before, this.before), choicesOf(after, this.after)];
    const [written, read] = reader === 'client' ? [is, was] : [was, is];
    const expected = new Set<Plain>();
    const fresh = written.flatMap((choice) => {
      const [nearest] = read
        .filter((one) => isOfType(choice, one))
        .map((one) => {
          const [old, now] = reader === 'client' ? [one, choice] : [choice, one];
          return { one, changes: this.ofPlain(old, now, reader) };
        })
        .toSorted((one, other) => one.changes.length - other.changes.length);
      if (!nearest) return [`: may ${reader === 'client' ? 'now' : 'no longer'} be ${choice.type}`];
      expected.add(nearest.one);
      return nearest.changes;
    });
    if (reader === 'service') return fresh;
    const lost = was.filter((one) => !expected.has(one) && this.isLost(one, is));
    return [...fresh, ...lost.map((one) => `: is no longer ${nameOf(one, is)}`)];
  }

  /**
   * Whether no alternative of the new schema fulfils what clients expect of this former
   * alternative.
   */
  private isLost(was: Plain, is: readonly Plain[]): boolean {
    if (was.type === 'null') return false;
    return is.every((now) => !isOfType(now, was) || this.ofPlain(was, now, 'client').length > 0);
  }

  private ofPlain(was: Plain, is: Plain, reader: Reader): readonly string[] {
    if (was.type === 'null') return [];
    const inner = (at: string, old: Schema, now: Schema) => this.changes(at, old, now, reader);
    const fields = Object.entries(was.properties ?? {}).flatMap(([name, old]) => {
      const now = is.properties?.[name];
      return now ? inner(`.${name}`, old, now) : [`.${name}: was removed`];
    });
    const [values, newValues] = [was.additionalProperties, is.additionalProperties];
    return [
      ...ofValues(was.enum, is.enum, reader),
      ...ofLimits(was, is, reader),
      ...fields,
      ...ofRequired(was, is, reader),
      ...(was.items && is.items ? inner('[]', was.items, is.items) : []),
      ...(typeof values === 'object' && typeof newValues === 'object'
        ? inner('.*', values, newValues)
        : []),
      ...(reader === 'service' && newValues === false && values !== false
        ? [': accepts no other fields now']
        : []),
    ];
  }
}

const ofValues = (
  was: readonly unknown[] | undefined,
  is: readonly unknown[] | undefined,
  reader: Reader,
): readonly string[] => {
  if (!was && !is) return [];
  if (!is) return reader === 'client' ? [': may now be any value'] : [];
  if (!was) return reader === 'service' ? [': accepts only certain values now'] : [];
  const what = reader === 'client' ? 'is no longer' : 'no longer accepts';
  return was.filter((value) => !is.includes(value)).map((value) => `: ${what} ${textOf(value)}`);
};

const ofLimits = (was: Schema, is: Schema, reader: Reader): readonly string[] => {
  const [written, read] = reader === 'client' ? [is, was] : [was, is];
  const keywords = [...LOWER_LIMITS, ...UPPER_LIMITS, ...EXACT].filter(
    (keyword) => !isWithin(keyword, written[keyword], read[keyword]),
  );
  const hasOtherDefault =
    reader === 'service' &&
    was['default'] !== undefined &&
    textOf(was['default']) !== textOf(is['default']);
  return [...keywords, ...(hasOtherDefault ? ['default'] : [])].map(
    (one) => `: ${one} is now ${textOf(is[one])} instead of ${textOf(was[one])}`,
  );
};

const ofRequired = (was: Schema, is: Schema, reader: Reader): readonly string[] => {
  const [old = [], now = []] = [was.required, is.required];
  return reader === 'client'
    ? old
        .filter((name) => !now.includes(name) && is.properties?.[name])
        .map((name) => `.${name}: may be missing now`)
    : now.filter((name) => !old.includes(name)).map((name) => `.${name}: is now required`);
};
