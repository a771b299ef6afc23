import { Rejection } from '#kernel';
import type { AccountInput } from '../../collection/mandates/account-input.js';

type Texts<Field extends string> = { readonly [F in Field]: string };

const MAX_LENGTH = 64;

const refuse = (field: string): never => {
  throw new Rejection('invalid_account', `${field} is malformed`, { field });
};

/**
 * Reads these text fields from a body, and no others. The error names the field and never repeats a
 * value.
 */
const textsOf = <Field extends string>(body: unknown, fields: readonly Field[]): Texts<Field> => {
  if (typeof body !== 'object' || body === null) return refuse('body');
  if (Object.keys(body).length > fields.length) return refuse('body');
  const entries = fields.map((field) => {
    const value: unknown = Reflect.get(body, field);
    const isText = typeof value === 'string' && value.length <= MAX_LENGTH;
    return [field, isText ? value : refuse(field)] as const;
  });
  return Object.fromEntries(entries) as Texts<Field>;
};

/**
 * Reads the payer's bank account from a body; the payment flow checks whether the account is valid.
 */
export const accountOf = (body: unknown): AccountInput => textsOf(body, ['name', 'iban', 'phone']);

/** Reads the code that the payer entered from a body. */
export const codeOf = (body: unknown): string => textsOf(body, ['code']).code;
