import type { Page } from 'playwright-core';
import { waitFor } from '#testing';

/**
 * Delays the event stream of one page until the test releases a change; the page then immediately
 * reads all of its data again.
 */
export class DelayedChanges {
  private release: (() => void) | null = null;

  static async of(page: Page): Promise<DelayedChanges> {
    const changes = new DelayedChanges();
    await page.route('**/v1/changes', async (route) => {
      await new Promise<void>((resolve) => {
        changes.release = resolve;
      });
      await route.fulfill({
        contentType: 'text/event-stream',
        body: 'retry: 10\nevent: many\ndata: {}\n\n',
      });
    });
    return changes;
  }

  /** Resolves once the page is connected, or connected again. */
  async happen(): Promise<void> {
    const release = await waitFor(() => this.release);
    this.release = null;
    release();
  }
}
