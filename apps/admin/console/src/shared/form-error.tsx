import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** An error of the whole form, announced by screen readers. */
export const FormError = ({ text }: { readonly text: ReactNode }) => (
  <div aria-live="assertive">
    {text !== null && (
      <Alert variant="outline" color="red" c="inherit">
        {text}
      </Alert>
    )}
  </div>
);
