import type { Dictionary } from './en';

/** The text of an event; undefined for a type of a newer release. */
export const eventText = ({ events }: Dictionary, type: string): string | undefined =>
  Object.hasOwn(events, type) ? events[type as keyof typeof events] : undefined;
