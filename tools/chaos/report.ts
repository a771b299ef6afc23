import type { CheckedResult } from './checks/index.js';

const MAX_SHOWN = 12;

/** Formats the report: one line for each check, followed by the check's violations. */
export const reportOf = (
  results: readonly CheckedResult[],
  seed: number,
): { readonly lines: readonly string[]; readonly holds: boolean } => {
  const lines = results.flatMap(({ invariant, name, figure, broken, isSkipped = false }) => {
    const passed = isSkipped ? '–' : '✓';
    const mark = broken.length === 0 ? passed : '✗';
    const shown = broken.slice(0, MAX_SHOWN).map(({ id, why }) => `       ${id}: ${why}`);
    const more = broken.length - shown.length;
    return [
      `  ${mark} ${invariant}  ${name}: ${figure}`,
      ...shown,
      ...(more > 0 ? [`       and ${more} more`] : []),
    ];
  });
  const failed = results.filter(({ broken }) => broken.length > 0).length;
  const skipped = results.filter(({ isSkipped = false }) => isSkipped).length;
  const end =
    failed === 0
      ? `${results.length - skipped} checks passed, ${skipped} skipped, seed ${seed}.`
      : `${failed} of ${results.length} checks failed: repeat with --seed ${seed}.`;
  return { lines: [...lines, '', end], holds: failed === 0 };
};
