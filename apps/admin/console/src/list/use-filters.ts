import { useSearchParams } from 'wouter';

export type FilterValues<Name extends string> = Readonly<Partial<Record<Name, string>>>;

interface Filters<Name extends string> {
  readonly values: FilterValues<Name>;
  readonly isAny: boolean;
  readonly set: (name: Name, value: string) => void;
  readonly clear: () => void;
}

/** Filters are stored in the page's URL, so that a link shows the same list. */
export const useFilters = <Name extends string>(names: readonly Name[]): Filters<Name> => {
  const [params, setParams] = useSearchParams();
  const given = names.filter((name) => (params.get(name) ?? '') !== '');
  const values = Object.fromEntries(given.map((name) => [name, params.get(name)]));
  return {
    values: values as FilterValues<Name>,
    isAny: given.length > 0,
    set: (name, value) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === '') next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
    // Clears only the filters; the URL's other parameters select the view and are kept.
    clear: () =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const name of names) next.delete(name);
          return next;
        },
        { replace: true },
      ),
  };
};
