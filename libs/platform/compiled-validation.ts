import {
  getMetadataStorage,
  isObject,
  type MetadataStorage,
  ValidationTypes,
} from 'class-validator';

type ValidationMetadata = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

/**
 * Whether the value of a field satisfies one of the field's decorators; `object` contains the
 * field.
 */
type Check = (object: object, value: unknown) => boolean;

interface Field {
  readonly name: string;
  /** A condition (`@ValidateIf`); if it is false, the field is not validated. */
  readonly conditions: readonly Check[];
  readonly checks: readonly Check[];
}

const { CONDITIONAL_VALIDATION, CUSTOM_VALIDATION, IS_DEFINED, NESTED_VALIDATION, WHITELIST } =
  ValidationTypes;

const ownChecks = (metadata: ValidationMetadata): Check[] =>
  getMetadataStorage()
    .getTargetValidatorConstraints(metadata.constraintCls)
    .map(({ instance }) => (object, value) => {
      if (metadata.validateIf !== undefined && !metadata.validateIf(object, value)) return true;
      const { propertyName: property, constraints } = metadata;
      const about = { targetName: object.constructor.name, property, object, value, constraints };
      // A promise is not `true`, so asynchronous checks are left to the library.
      const passes = (one: unknown): boolean => instance.validate(one, about) === true;
      return metadata.each && Array.isArray(value) ? value.every(passes) : passes(value);
    });

const isValidNested = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.every(isValidNested);
  return value === undefined || (isObject(value) && isSurelyValid(value));
};

const fieldOf = (name: string, metadatas: readonly ValidationMetadata[]): Field => {
  const ofType = (...types: string[]) => metadatas.filter(({ type }) => types.includes(type));
  return {
    name,
    conditions: ofType(CONDITIONAL_VALIDATION).map(({ constraints }) => constraints[0] as Check),
    checks: [
      ...ofType(IS_DEFINED, CUSTOM_VALIDATION).flatMap(ownChecks),
      ...ofType(NESTED_VALIDATION).map((): Check => (_object, value) => isValidNested(value)),
    ],
  };
};

const KNOWN_TYPES: readonly string[] = [
  CONDITIONAL_VALIDATION,
  CUSTOM_VALIDATION,
  IS_DEFINED,
  NESTED_VALIDATION,
  WHITELIST,
];

/** The decorated fields of a class; null if they use decorators that are not supported here. */
const compile = (dto: object): ReadonlyMap<string, Field> | null => {
  const storage = getMetadataStorage();
  const metadatas = storage.getTargetValidationMetadatas(dto as never, '', false, false);
  const isKnown = metadatas.every(({ type }) => KNOWN_TYPES.includes(type));
  if (metadatas.length === 0 || !isKnown) return null;
  const byName = Object.entries(storage.groupByPropertyName(metadatas));
  return new Map(byName.map(([name, own]) => [name, fieldOf(name, own)]));
};

const compiled = new WeakMap<object, ReadonlyMap<string, Field> | null>();

const fieldsOf = (dto: object): ReadonlyMap<string, Field> | null => {
  const known = compiled.get(dto);
  if (known !== undefined) return known;
  const fields = compile(dto);
  compiled.set(dto, fields);
  return fields;
};

const isValidField = ({ name, conditions, checks }: Field, object: object): boolean => {
  const value: unknown = object[name as never];
  return (
    conditions.some((holds) => !holds(object, value)) ||
    checks.every((passes) => passes(object, value))
  );
};

/**
 * Whether an instance of a DTO class, made of parsed JSON, has only decorated fields and satisfies
 * all decorators. The library reads and sorts the decorators of a class again for each object; here
 * they are read once. If false, the library decides and writes the error messages; this includes
 * cases that cannot be decided here.
 */
export const isSurelyValid = (object: object): boolean => {
  const dto = (Object.getPrototypeOf(object) as object | null)?.constructor;
  const fields = dto === undefined ? null : fieldsOf(dto);
  if (fields === null || !Object.keys(object).every((name) => fields.has(name))) return false;
  for (const field of fields.values()) if (!isValidField(field, object)) return false;
  return true;
};
