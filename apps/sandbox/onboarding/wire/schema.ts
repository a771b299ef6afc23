import { answer, described, input, type Shape, shape, type ValueOf } from '../../api/answers.js';
import { FIELD_WORDS } from './field-words.js';

export type Shapes = Readonly<Record<string, Shape>>;

/** Adds the common description to each property that has no description. */
export const worded = <const P extends Shapes>(properties: P): P =>
  Object.fromEntries(
    Object.entries(properties).map(([name, of]) => {
      const words = FIELD_WORDS[name];
      return [name, words === undefined || 'description' in of ? of : described(words, of)];
    }),
  ) as Shapes as P;

/** An object with exactly these keys, all required. */
export const exactly = <const P extends Shapes>(properties: P) => answer(worded(properties));

/** An object of a request, with these keys and no others. */
export const object = <const P extends Shapes, const R extends keyof P & string = never>(
  properties: P,
  required: readonly R[] = [],
) => input(worded(properties), required);

/** An optional object of a request; null clears the object. */
export const optionalObject = <const P extends Shapes>(properties: P) => {
  const of = object(properties);
  return shape<ValueOf<typeof of> | null>({ ...of, type: ['object', 'null'] });
};

/** An id of the onboarding API, e.g. `comp_` and 24 letters and digits. */
export const idOf = (prefix: string): Shape<string> =>
  shape({ type: 'string', pattern: `^(?:${prefix})_[A-Za-z0-9]{24}$` });
