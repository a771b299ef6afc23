import { createContext, lazy, type ReactNode, Suspense, use, useState } from 'react';
import type { Wish } from './action';

/** Loaded when something is first put right. */
const ActionDialog = lazy(async () => ({
  default: (await import('./action-dialog')).ActionDialog,
}));

const OpenContext = createContext<(wish: Wish) => void>(() => {});

/** Opens the dialog of a wish. */
export const useOpenAction = () => use(OpenContext);

/** Has the dialog, which outlives what it was opened from: a row goes when its trouble is over. */
export const ActionHost = ({ children }: { readonly children: ReactNode }) => {
  const [wish, setWish] = useState<Wish | null>(null);
  return (
    <OpenContext value={setWish}>
      {children}
      <Suspense>
        {wish !== null && <ActionDialog wish={wish} onClose={() => setWish(null)} />}
      </Suspense>
    </OpenContext>
  );
};
