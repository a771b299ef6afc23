import { createContext, lazy, type ReactNode, Suspense, use, useState } from 'react';
import type { Wish } from './action';

/** Loaded when something is first put right. */
const ActionDialog = lazy(async () => ({
  default: (await import('./action-dialog')).ActionDialog,
}));

interface Opened {
  readonly wish: Wish;
  /** To what it is to be done, in words. */
  readonly subject: string;
}

const OpenContext = createContext<(opened: Opened) => void>(() => {});

/** Opens the dialog of a wish. */
export const useOpenAction = () => use(OpenContext);

/** Has the dialog, which outlives what it was opened from: a row goes when its trouble is over. */
export const ActionHost = ({ children }: { readonly children: ReactNode }) => {
  const [opened, setOpened] = useState<Opened | null>(null);
  return (
    <OpenContext value={setOpened}>
      {children}
      <Suspense>
        {opened !== null && (
          <ActionDialog
            key={JSON.stringify(opened.wish)} {...opened} onClose={() => setOpened(null)}
          />
        )}
      </Suspense>
    </OpenContext>
  );
};
