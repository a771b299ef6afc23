import { Rejection } from '#kernel';
import type { CardInput } from '../../collection/cards/card-input.js';

const FIELDS = new Set(['number', 'expMonth', 'expYear', 'cvc', 'name']);

const refuse = (field: string, problem: string): never => {
  throw new Rejection('invalid_card', `${field} is malformed`, { field, problem });
};

const textOf = (body: object, field: string, maxLength: number): string => {
  const value: unknown = Reflect.get(body, field);
  if (typeof value !== 'string' || value === '') return refuse(field, 'missing');
  return value.length > maxLength ? refuse(field, 'too_long') : value;
};

const integerOf = (body: object, field: string): number => {
  const value: unknown = Reflect.get(body, field);
  return Number.isInteger(value) ? Number(value) : refuse(field, 'not_integer');
};

/**
 * Reads the card from a request's body and checks only that its fields are texts and numbers; the
 * payment flow validates the card. Throws `Rejection('invalid_card')`, which names the field and
 * never repeats a value.
 */
export const cardOf = (body: unknown): CardInput => {
  if (typeof body !== 'object' || body === null) return refuse('body', 'not_object');
  const unknownField = Object.keys(body).some((key) => !FIELDS.has(key));
  if (unknownField) return refuse('body', 'unknown_field');
  return {
    number: textOf(body, 'number', 40),
    expMonth: integerOf(body, 'expMonth'),
    expYear: integerOf(body, 'expYear'),
    cvc: textOf(body, 'cvc', 4),
    ...('name' in body ? { name: textOf(body, 'name', 64) } : {}),
  };
};
