import { assert } from '#kernel';
import type { Saga } from './saga.js';
import { applyUpcasters, WrittenByNewerRelease } from './upcast.js';

/** Thrown when the state of a workflow has a version that this release does not know. */
export class UnknownState extends WrittenByNewerRelease {
  constructor(saga: string, key: string, version: number) {
    super(
      `this release does not know version ${version} of the state of ${saga}, which a newer release ` +
        `saved for ${key}: upgrade this process`,
    );
  }
}

type Stored = Readonly<Record<string, unknown>>;

/**
 * The field with the version of a state, stored beside the state's own fields; absent in version 1.
 */
const VERSION_FIELD = 'stateVersion';

/** A state with its version, as it is saved. */
export const savedState = ({ stateUpcasters }: Saga, state: unknown): unknown =>
  stateUpcasters.length === 0
    ? state
    : { ...(state as Stored), [VERSION_FIELD]: stateUpcasters.length + 1 };

/**
 * A saved state, upcast; null for a new instance. @throws UnknownState
 */
export const stateOf = (
  { name, initialState, stateUpcasters }: Saga,
  key: string,
  saved: unknown,
): unknown => {
  if (saved === null) return initialState;
  assert(typeof saved === 'object', 'the state of a saga is an object');
  const { [VERSION_FIELD]: version = 1, ...state } = saved as Stored;
  if (!Number.isInteger(version) || Number(version) > stateUpcasters.length + 1) {
    throw new UnknownState(name, key, Number(version));
  }
  return applyUpcasters(stateUpcasters, Number(version), state, key);
};
