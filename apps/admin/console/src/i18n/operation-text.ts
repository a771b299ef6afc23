import type { Dictionary } from './en';

/**
 * The name of a provider request; undefined if there is no operation, or if it is an operation of a
 * newer release.
 */
export const operationText = ({ operations }: Dictionary, operation: unknown): string | undefined =>
  typeof operation === 'string' && Object.hasOwn(operations, operation)
    ? operations[operation as keyof typeof operations]
    : undefined;
