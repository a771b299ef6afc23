import ts from 'typescript';
import { currentSchemaVersion, type Upcasters } from '#log';
import { assert } from '#kernel';
import { schemaId } from '#kafka';

/** A JSON Schema, draft 07: what AsyncAPI and most readers of schemas understand. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** The events of one aggregate: a union of object types, discriminated by `type`. */
export interface EventSource {
  readonly file: string;
  readonly union: string;
  /** The upcasters of each event type: its schema version is their number plus one. */
  readonly upcasters: Upcasters;
}

export interface EventSchema {
  readonly type: string;
  readonly schemaVersion: number;
  readonly schema: JsonSchema;
}

const WHOLE_NUMBER = { type: 'integer' } as const;
const DAY = { type: 'string', format: 'date' } as const;
const MOMENT = { type: 'string', format: 'date-time' } as const;

/** Derives the schemas from the types, so that the two agree. */
class SchemaReader {
  constructor(private readonly checker: ts.TypeChecker) {}

  of(type: ts.Type): JsonSchema {
    if (type.aliasSymbol?.name === 'Instant') return MOMENT;
    if (type.aliasSymbol?.name === 'Day') return DAY;
    if (type.flags & ts.TypeFlags.String) return { type: 'string' };
    // No event contains a fraction: money is in minor units, durations in milliseconds.
    if (type.flags & ts.TypeFlags.Number) return WHOLE_NUMBER;
    if (type.isStringLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.isUnion()) return this.ofUnion(type);
    return this.ofObject(type);
  }

  /** An object's schema without the properties named. */
  ofObject(type: ts.Type, without: readonly string[] = []): JsonSchema {
    const { checker } = this;
    if (checker.isArrayType(type)) {
      const [element] = checker.getTypeArguments(type as ts.TypeReference);
      assert(element, 'an array has an element type');
      return { type: 'array', items: this.of(element) };
    }
    const values = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (values) return { type: 'object', additionalProperties: this.of(values) };
    assert(type.flags & ts.TypeFlags.Object || type.isIntersection(), 'an event holds plain data');
    const members = checker.getPropertiesOfType(type).filter(({ name }) => !without.includes(name));
    const properties = Object.fromEntries(
      members.map((member) => [member.name, this.ofProperty(member)]),
    );
    const required = members
      .filter(({ flags }) => !(flags & ts.SymbolFlags.Optional))
      .map(({ name }) => name);
    return { type: 'object', properties, required };
  }

  private ofProperty(member: ts.Symbol): JsonSchema {
    const schema = this.of(this.checker.getTypeOfSymbol(member));
    const description = ts.displayPartsToString(member.getDocumentationComment(this.checker));
    return description === '' ? schema : { description, ...schema };
  }

  private ofUnion(type: ts.UnionType): JsonSchema {
    if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
    const literals = type.types.flatMap((one) => (one.isStringLiteral() ? [one.value] : []));
    const isFlag = (one: ts.Type): boolean => Boolean(one.flags & ts.TypeFlags.BooleanLiteral);
    // An optional property may be absent; it is never undefined.
    const isAbsence = (one: ts.Type): boolean => Boolean(one.flags & ts.TypeFlags.Undefined);
    const others = type.types
      .filter((one) => !one.isStringLiteral() && !isFlag(one) && !isAbsence(one))
      .map((one) => this.of(one));
    if (type.types.some(isFlag)) others.push({ type: 'boolean' });
    const nullable = others.some((schema) => schema['type'] === 'null');
    const rest = others.filter((schema) => schema['type'] !== 'null');
    const ofLiterals = literals.length > 0 ? [{ type: 'string', enum: literals.sort() }] : [];
    const choices: JsonSchema[] = [...ofLiterals, ...rest];
    const [only] = choices;
    if (choices.length === 1 && only) return nullable ? withNull(only) : only;
    return { oneOf: nullable ? [...choices, { type: 'null' }] : choices };
  }
}

const withNull = (schema: JsonSchema): JsonSchema => {
  const members = schema['enum'];
  return {
    ...schema,
    type: [schema['type'], 'null'],
    ...(Array.isArray(members) ? { enum: [...(members as unknown[]), null] } : {}),
  };
};

const typeName = (checker: ts.TypeChecker, event: ts.Type): string => {
  const symbol = event.getProperty('type');
  const type = symbol && checker.getTypeOfSymbol(symbol);
  assert(type?.isStringLiteral(), 'the type of an event is a string literal');
  return type.value;
};

/** The schema of each event's data as it is published: without `type`. */
export const eventSchemas = (source: EventSource, root: string): readonly EventSchema[] => {
  const config = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const path = `${root}/${source.file}`;
  const program = ts.createProgram([path], { ...options, noEmit: true, incremental: false });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path);
  const declaration = file?.statements.find(
    (one): one is ts.TypeAliasDeclaration =>
      ts.isTypeAliasDeclaration(one) && one.name.text === source.union,
  );
  assert(declaration, `${source.file} declares ${source.union}`);
  const union = checker.getTypeAtLocation(declaration);
  assert(union.isUnion(), `${source.union} is a union of events`);
  const reader = new SchemaReader(checker);
  return union.types.map((event) => {
    const type = typeName(checker, event);
    const schemaVersion = currentSchemaVersion(source.upcasters, type);
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: schemaId(type, schemaVersion),
      title: type,
      ...reader.ofObject(event, ['type']),
    };
    return { type, schemaVersion, schema };
  });
};
