import { createContext, use } from 'react';

/** The event after which the page is shown; null: the present. */
export const TravelVersion = createContext<number | null>(null);

export const useTravelVersion = (): number | null => use(TravelVersion);
