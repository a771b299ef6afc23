import {
  getMetadataStorage,
  isObject,
  type MetadataStorage,
  ValidationTypes,
} from 'class-validator';

type ValidationMetadata = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

/**
 * Whether the value of a field satisfies one decorator; `object` is the object that contains the
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
      // An asynchronous check returns a promise, which is not `true`, so it is left to the
      // validation library.
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

/**
 * The fields of a class with their checks; null if the class uses decorators that this file does
 * not support.
 */
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
 * Whether an object, created from parsed JSON, has only decorated fields that satisfy all their
 * decorators. The validation library reads and sorts the decorators of a class for each object;
 * here they are read once for each class. False does not mean that the object is invalid: the
 * library then validates the object and writes the error messages. False is also returned for
 * decorators that this file does not support.
 */
export const isSurelyValid = (object: object): boolean => {
  const dto = (Object.getPrototypeOf(object) as object | null)?.constructor;
  const fields = dto === undefined ? null : fieldsOf(dto);
  if (fields === null || !Object.keys(object).every((name) => fields.has(name))) return false;
  for (const field of fields.values()) if (!isValidField(field, object)) return false;
  return true;
};
