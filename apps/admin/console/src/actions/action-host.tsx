import { createContext, type ReactNode, use, useState } from 'react';
import type { Wish } from './action';
import { ActionDialog } from './action-dialog';

const OpenContext = createContext<(wish: Wish) => void>(() => {});

/** Opens the dialog of a wish. */
export const useOpenAction = () => use(OpenContext);

/** Has the dialog, which outlives what it was opened from: a row goes when its trouble is over. */
export const ActionHost = ({ children }: { readonly children: ReactNode }) => {
  const [wish, setWish] = useState<Wish | null>(null);
  return (
    <OpenContext value={setWish}>
      {children}
      {wish !== null && <ActionDialog wish={wish} onClose={() => setWish(null)} />}
    </OpenContext>
  );
};
