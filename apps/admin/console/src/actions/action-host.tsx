import { lazy, type ReactNode, Suspense, useState } from 'react';
import { OpenContext, type Opened } from './open-action';

/** The dialog is loaded when it is first opened. */
const ActionDialog = lazy(async () => ({
  default: (await import('./action-dialog')).ActionDialog,
}));

/**
 * Holds the action dialog above the pages, so that it stays open when the row that opened it
 * disappears.
 */
export const ActionHost = ({ children }: { readonly children: ReactNode }) => {
  const [opened, setOpened] = useState<Opened | null>(null);
  return (
    <OpenContext value={setOpened}>
      {children}
      <Suspense>
        {opened !== null && (
          <ActionDialog
            key={JSON.stringify(opened.request)}
            {...opened}
            onClose={() => setOpened(null)}
          />
        )}
      </Suspense>
    </OpenContext>
  );
};
