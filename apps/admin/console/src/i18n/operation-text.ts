import type { Dictionary } from './en';

/** What a request to the provider does; undefined: an operation of a newer release, or none. */
export const operationText = ({ operations }: Dictionary, operation: unknown): string | undefined =>
  typeof operation === 'string' && Object.hasOwn(operations, operation)
    ? operations[operation as keyof typeof operations]
    : undefined;
