import { useSearchParams } from 'wouter';

type SelectedVersion = readonly [number | null, (version: number | null) => void];

/** The event selected in the page's URL; null: the current state. */
export const useVersion = (last: number): SelectedVersion => {
  const [params, setParams] = useSearchParams();
  const selected = Number(params.get('version'));
  const isPast = Number.isInteger(selected) && selected >= 1 && selected < last;
  const select = (to: number | null): void =>
    setParams(to === null ? {} : { version: String(to) }, { replace: true });
  return [isPast ? selected : null, select];
};
