import { Component, type ReactNode } from 'react';
import { endFirstView } from '../first-view/first-view-page';
import { ProblemAlert } from './problem-alert';

interface Props {
  readonly children: ReactNode;
}

/**
 * Keeps the menu usable when a page throws, or when a new release has replaced the page's files.
 * The boundary does not reset itself: use the page's URL path as its React key.
 */
export class ErrorBoundary extends Component<Props, { readonly error: Error | null }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(): void {
    endFirstView();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <ProblemAlert error={error} retry={() => location.reload()} />;
  }
}
