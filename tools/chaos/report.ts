import type { CheckedResult } from './checks/index.js';

const MAX_SHOWN = 12;

/** One line for each invariant, with its figure; its violations below it. */
export const reportOf = (
  results: readonly CheckedResult[],
  seed: number,
): { readonly lines: readonly string[]; readonly holds: boolean } => {
  const lines = results.flatMap(({ invariant, name, figure, broken }) => {
    const mark = broken.length === 0 ? '✓' : '✗';
    const shown = broken.slice(0, MAX_SHOWN).map(({ id, why }) => `       ${id}: ${why}`);
    const more = broken.length - shown.length;
    return [
      `  ${mark} ${invariant}  ${name}: ${figure}`,
      ...shown,
      ...(more > 0 ? [`       and ${more} more`] : []),
    ];
  });
  const failed = results.filter(({ broken }) => broken.length > 0).length;
  const end =
    failed === 0
      ? `All ${results.length} invariants hold, seed ${seed}.`
      : `${failed} of ${results.length} invariants do not hold, seed ${seed}: repeat with this seed.`;
  return { lines: [...lines, '', end], holds: failed === 0 };
};
