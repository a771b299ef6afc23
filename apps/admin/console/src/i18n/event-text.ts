import type { Dictionary } from './en';

/** What an event says; undefined for a type that only a newer release knows. */
export const eventText = ({ events }: Dictionary, type: string): string | undefined =>
  Object.hasOwn(events, type) ? events[type as keyof typeof events] : undefined;
