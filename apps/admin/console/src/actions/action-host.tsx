import { lazy, type ReactNode, Suspense, useState } from 'react';
import { OpenContext, type Opened } from './open-action';

/** Loaded when the first action is opened. */
const ActionDialog = lazy(async () => ({
  default: (await import('./action-dialog')).ActionDialog,
}));

/** Holds the dialog above the pages: it outlives the row that it was opened from. */
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
