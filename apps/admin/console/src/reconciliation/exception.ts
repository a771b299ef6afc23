import type { Schemas } from '../api/client';

export type Exception = Schemas['ExceptionItem'];
