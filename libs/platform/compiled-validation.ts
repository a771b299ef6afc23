import {
  getMetadataStorage,
  isObject,
  type MetadataStorage,
  ValidationTypes,
} from 'class-validator';

type ValidationMetadata = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

/** Whether a field's value passes one of its decorators; `object` is what holds the field. */
type Check = (object: object, value: unknown) => boolean;

interface Field {
  readonly name: string;
  /** Where one does not hold, the field is not checked. */
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
      // What is to be waited for is no `true`, and left to the library.
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

/** The fields that a class's decorators name; null where they ask for more than is known here. */
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
 * Whether an instance of a DTO class, made of parsed JSON, has only fields that its decorators name
 * and passes them all. The library reads and sorts a class's decorators anew for each object; here
 * they are read once. False also where it cannot be decided here: then the library decides, and
 * the words for what is wrong.
 */
export const isSurelyValid = (object: object): boolean => {
  const dto = (Object.getPrototypeOf(object) as object | null)?.constructor;
  const fields = dto === undefined ? null : fieldsOf(dto);
  if (fields === null || !Object.keys(object).every((name) => fields.has(name))) return false;
  for (const field of fields.values()) if (!isValidField(field, object)) return false;
  return true;
};
