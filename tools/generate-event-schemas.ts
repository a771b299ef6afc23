import ts from 'typescript';
import { currentSchemaVersion, type Upcasters } from '#log';
import { assert } from '#kernel';
import { schemaId } from '#kafka';

/** The version of JSON Schema, draft 07, which AsyncAPI and most tools support. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** The union type of an aggregate's events, and its file. */
export interface EventSource {
  readonly file: string;
  readonly union: string;
  /**
   * The upcasters of each event type. The schema version of an event type is the number of its
   * upcasters plus one.
   */
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

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Derives the schemas from the types and their TSDoc, so that schemas and types agree. */
class SchemaReader {
  /** `shared` contains descriptions (TSDoc) by field name and type, for fields without TSDoc. */
  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly shared: ReadonlyMap<string, string>,
  ) {}

  of(type: ts.Type): JsonSchema {
    if (type.aliasSymbol?.name === 'Instant') return MOMENT;
    if (type.aliasSymbol?.name === 'Day') return DAY;
    if (type.flags & ts.TypeFlags.String) return { type: 'string' };
    // All numbers in events are whole: amounts are in minor units, and durations in milliseconds.
    if (type.flags & ts.TypeFlags.Number) return WHOLE_NUMBER;
    if (type.isStringLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.isUnion()) return this.ofUnion(type);
    return this.ofObject(type);
  }

  ofObject(type: ts.Type): JsonSchema {
    const { checker } = this;
    if (checker.isArrayType(type)) {
      const [element] = checker.getTypeArguments(type as ts.TypeReference);
      assert(element, 'an array in an event must have an element type');
      return { type: 'array', items: this.of(element) };
    }
    const values = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (values) return { type: 'object', additionalProperties: this.of(values) };
    assert(
      type.flags & ts.TypeFlags.Object || type.isIntersection(),
      'an event must contain only plain data',
    );
    return this.ofFields(checker.getPropertiesOfType(type), new Map());
  }

  /** The schema of an event's data. The data do not contain the event's `type`. */
  ofEvent(event: ts.Type): JsonSchema {
    const fields = this.checker.getPropertiesOfType(event).filter(({ name }) => name !== 'type');
    return this.ofFields(fields, this.shared);
  }

  private ofFields(fields: readonly ts.Symbol[], shared: ReadonlyMap<string, string>): JsonSchema {
    const properties = Object.fromEntries(
      fields.map((field) => [
        field.name,
        this.ofField(field, shared.get(nameAndType(field, this.checker))),
      ]),
    );
    const required = fields
      .filter(({ flags }) => !(flags & ts.SymbolFlags.Optional))
      .map(({ name }) => name);
    return { type: 'object', properties, required };
  }

  private ofField(field: ts.Symbol, shared = ''): JsonSchema {
    const schema = this.of(this.checker.getTypeOfSymbol(field));
    const about = docOf(field, this.checker) || shared;
    const description = `${about} ${docOfType(field, this.checker)}`.trim();
    return description === '' ? schema : { description, ...schema };
  }

  private ofUnion(type: ts.UnionType): JsonSchema {
    if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
    const literals = type.types.flatMap((one) => (one.isStringLiteral() ? [one.value] : []));
    const isFlag = (one: ts.Type): boolean => Boolean(one.flags & ts.TypeFlags.BooleanLiteral);
    // An optional property has `undefined` in its type, which the schema must omit.
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
  assert(type?.isStringLiteral(), 'the `type` of an event must be a string literal');
  return type.value;
};

const docOf = (symbol: ts.Symbol, checker: ts.TypeChecker): string =>
  inOneLine(ts.displayPartsToString(symbol.getDocumentationComment(checker)));

/** The TSDoc of a field's named type, such as the unit of an amount or the format of an instant. */
const docOfType = (field: ts.Symbol, checker: ts.TypeChecker): string => {
  const ofNode = (node: ts.Node): string => {
    if (ts.isTypeReferenceNode(node)) {
      const name = checker.getSymbolAtLocation(node.typeName);
      const symbol =
        name && name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name;
      const isOurs = symbol?.declarations?.some(
        (one) => !one.getSourceFile().fileName.includes('/node_modules/'),
      );
      const doc = symbol && isOurs ? docOf(symbol, checker) : '';
      if (doc !== '') return doc;
    }
    if (ts.isTypeLiteralNode(node)) return '';
    return ts.forEachChild(node, (child) => ofNode(child) || undefined) ?? '';
  };
  const declaration = field.valueDeclaration;
  return declaration && ts.isPropertySignature(declaration) && declaration.type
    ? ofNode(declaration.type)
    : '';
};

/** The TSDoc of each event, by event type. It is the comment before the event in the union type. */
const docsOfEvents = (
  { type: dated }: ts.TypeAliasDeclaration,
  checker: ts.TypeChecker,
): ReadonlyMap<string, string> => {
  const node = ts.isTypeReferenceNode(dated) ? dated.typeArguments?.[0] : undefined;
  assert(
    node && ts.isUnionTypeNode(node),
    'events must be declared as a union whose members have the field `at`',
  );
  const text = node.getSourceFile().text;
  return new Map(
    node.types.map((event, index) => {
      const start = index === 0 ? node.getFullStart() : (node.types[index - 1]?.end ?? 0);
      const [, doc = ''] = /\/\*\*(.*?)\*\//s.exec(text.slice(start, event.getStart())) ?? [];
      const plain = inOneLine(doc.replaceAll(/^\s*\*/gm, ''));
      return [typeName(checker, checker.getTypeFromTypeNode(event)), plain];
    }),
  );
};

const nameAndType = (field: ts.Symbol, checker: ts.TypeChecker): string =>
  `${field.name}: ${checker.typeToString(checker.getTypeOfSymbol(field))}`;

/**
 * The TSDoc of fields, by field name and type. The first TSDoc is used, because a field that
 * several events share is described only in the first of them.
 */
const docsOfFields = (
  union: ts.UnionType,
  checker: ts.TypeChecker,
): ReadonlyMap<string, string> => {
  const docs = new Map<string, string>();
  for (const field of union.types.flatMap((event) => checker.getPropertiesOfType(event))) {
    const [key, doc] = [nameAndType(field, checker), docOf(field, checker)];
    if (doc !== '' && !docs.has(key)) docs.set(key, doc);
  }
  return docs;
};

/**
 * The compiler options of the project, without the types of Node and Jest, because no event uses
 * them.
 */
const optionsOf = (root: string): ts.CompilerOptions => {
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile) as {
    readonly config: { readonly compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  return { ...options, types: [], noEmit: true, incremental: false };
};

const parsed = new Map<string, ts.SourceFile | undefined>();

/** A compiler host that caches the parsed files for all aggregates. */
const hostFor = (options: ts.CompilerOptions): ts.CompilerHost => {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (path, as) => {
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, as));
    return parsed.get(path);
  };
  return host;
};

/** The schema of each event's data, described by the TSDoc of the event and its fields. */
export const eventSchemas = (source: EventSource, root: string): readonly EventSchema[] => {
  const path = `${root}/${source.file}`;
  const options = optionsOf(root);
  const program = ts.createProgram([path], options, hostFor(options));
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path);
  const declaration = file?.statements.find(
    (one): one is ts.TypeAliasDeclaration =>
      ts.isTypeAliasDeclaration(one) && one.name.text === source.union,
  );
  assert(declaration, `${source.file} must declare ${source.union}`);
  const union = checker.getTypeAtLocation(declaration);
  assert(union.isUnion(), `${source.union} must be a union of events`);
  const reader = new SchemaReader(checker, docsOfFields(union, checker));
  const about = docsOfEvents(declaration, checker);
  return union.types.map((event) => {
    const type = typeName(checker, event);
    const schemaVersion = currentSchemaVersion(source.upcasters, type);
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: schemaId(type, schemaVersion),
      title: type,
      description: about.get(type) ?? '',
      ...reader.ofEvent(event),
    };
    return { type, schemaVersion, schema };
  });
};
