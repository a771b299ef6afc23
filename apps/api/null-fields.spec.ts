import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { ApiModule } from './api.module.js';

type Class = new () => object;

/** The classes of the bodies that the handlers of the API accept. */
const bodyClasses = (): readonly Class[] => {
  const { controllers = [] } = ApiModule.forRoot({} as never, { module: class {} });
  return controllers.flatMap((controller) => {
    const { prototype } = controller as Class;
    return Object.getOwnPropertyNames(prototype).flatMap((handler) => {
      const parameters: object =
        Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {};
      const types: Class[] = Reflect.getMetadata('design:paramtypes', prototype, handler) ?? [];
      return types.filter((_, index) => `${RouteParamtypes.BODY}:${index}` in parameters);
    });
  });
};

const fieldsOf = (body: Class): readonly string[] => {
  const checks = getMetadataStorage().getTargetValidationMetadatas(body, '', false, false);
  return [...new Set(checks.map(({ propertyName }) => propertyName))];
};

/** The object that the API creates from a body with only this field. */
const objectOf = (body: Class, field: string, value: unknown): object =>
  plainToInstance(body, { [field]: value });

/** The classes and the classes of the objects in their fields, at any depth. */
const withNested = (bodies: readonly Class[]): ReadonlySet<Class> => {
  const found = new Set(bodies);
  // A set's loop also visits what is added during the loop.
  for (const body of found) {
    for (const field of fieldsOf(body)) {
      const { [field]: items } = objectOf(body, field, [{}]) as Record<string, unknown>;
      const nested = (items as readonly object[] | undefined)?.[0]?.constructor as Class;
      if (nested !== Object) found.add(nested);
    }
  }
  return found;
};

/** What null in the field leads to. */
const meaningOfNull = (body: Class, field: string): string => {
  const object = objectOf(body, field, null);
  const isRefused = validateSync(object).some(({ property }) => property === field);
  return isRefused ? 'refused' : String(object[field as never]);
};

const isNullable = ({ prototype }: Class, field: string): boolean => {
  const docs = Reflect.getMetadata('swagger/apiModelProperties', prototype, field) as {
    readonly nullable?: boolean;
  };
  return docs.nullable === true;
};

test('null in a field of a body is refused or means no field, unless the field is documented as nullable', () => {
  const fields = [...withNested(bodyClasses())].flatMap((body) =>
    fieldsOf(body).map((field) => ({
      name: `${body.name}.${field}`,
      allowed: isNullable(body, field) ? ['null'] : ['refused', 'undefined'],
      isNow: meaningOfNull(body, field),
    })),
  );
  // Also the fields of an object, and of an object in a list, in a body.
  const examples = ['RefundDto.reason', 'CaptureDto.delay', 'LegalEntityDto.address'];
  expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(examples));
  expect(fields.filter(({ allowed, isNow }) => !allowed.includes(isNow))).toEqual([]);
});
