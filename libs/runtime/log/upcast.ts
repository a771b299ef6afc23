import type { Upcaster, Upcasters } from '#kernel';

export type { Upcasters };

/** The part of a stored event that is needed to compute the state of its stream. */
export interface StoredEvent {
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A stored event with its trace context. */
export interface TracedEvent extends StoredEvent {
  readonly traceparent: string | null;
}

/**
 * Identifies an event by its stream and version. The stream type is a text, because a newer release
 * may have types that this release does not know.
 */
export interface EventRef {
  readonly streamType: string;
  readonly streamId: string;
  readonly version: number;
  readonly type: string;
  readonly schemaVersion: number;
}

/**
 * Thrown for data that a newer release has written and this release cannot read. The data must not
 * be skipped or read as an older version, and must wait for a process of the newer release.
 */
export class WrittenByNewerRelease extends Error {
  override readonly name = 'WrittenByNewerRelease';
}

/** Thrown for an event of a type, or of a schema version, that this release does not know. */
export class UnknownEvent extends WrittenByNewerRelease {
  constructor(readonly event: EventRef) {
    const { streamType, streamId, version, type, schemaVersion } = event;
    super(
      `this release does not know ${type}, schema version ${schemaVersion}, which a newer release ` +
        `wrote as version ${version} of ${streamType} ${streamId}: upgrade this process`,
    );
  }
}

/**
 * Upcasts data of a version to the current schema. `id` is the id of the event's stream, or the key
 * of the saga.
 */
export const applyUpcasters = (
  upcasters: readonly Upcaster[],
  version: number,
  written: StoredEvent['data'],
  id: string,
): StoredEvent['data'] =>
  upcasters.slice(version - 1).reduce((older, upcast) => upcast(older, id), written);

/** The upcasters of several aggregates together: event types are unique in the whole log. */
export const upcastersOf = (aggregates: readonly { readonly upcasters: Upcasters }[]): Upcasters =>
  Object.assign({}, ...aggregates.map(({ upcasters }) => upcasters));

/** The current name of an event type. */
export const currentType = (upcasters: Upcasters, type: string): string => {
  const known = Object.hasOwn(upcasters, type) ? upcasters[type] : undefined;
  return typeof known === 'string' ? known : type;
};

/** The event types that this release writes. */
export const currentTypes = (upcasters: Upcasters): readonly string[] =>
  Object.keys(upcasters).filter((type) => currentType(upcasters, type) === type);

/** The upcasters of a type, by its current or a former name; null for an unknown type. */
const knownUpcasters = (upcasters: Upcasters, type: string): readonly Upcaster[] | null => {
  const name = currentType(upcasters, type);
  const known = Object.hasOwn(upcasters, name) ? upcasters[name] : undefined;
  return typeof known === 'object' ? known : null;
};

/** The schema version with which events of this type are written. */
export const currentSchemaVersion = (upcasters: Upcasters, type: string): number =>
  1 + (knownUpcasters(upcasters, type)?.length ?? 0);

export const isKnownEvent = (
  upcasters: Upcasters,
  { type, schemaVersion }: Pick<EventRef, 'type' | 'schemaVersion'>,
): boolean => {
  const known = knownUpcasters(upcasters, type);
  return known !== null && schemaVersion <= known.length + 1;
};

/**
 * An event with its current name and schema. @throws UnknownEvent
 */
export const upcast = (
  upcasters: Upcasters,
  { streamType, streamId }: Pick<EventRef, 'streamType' | 'streamId'>,
  { version, type, schema_version: schemaVersion, data }: StoredEvent,
): Pick<StoredEvent, 'type' | 'data'> => {
  const event = { streamType, streamId, version, type, schemaVersion };
  if (!isKnownEvent(upcasters, event)) throw new UnknownEvent(event);
  return {
    type: currentType(upcasters, type),
    data: applyUpcasters(knownUpcasters(upcasters, type) ?? [], schemaVersion, data, streamId),
  };
};
