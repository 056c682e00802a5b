import type { Examined } from '../../health/examine.ts';

const states = ['broken', 'warning', 'ok'];

/** The findings of the doctor, the broken ones first, and a summary. */
export function summarizeFindings(examined: readonly Examined[]): { worstFirst: Examined[]; summary: string } {
  const worstFirst = examined.toSorted((a, b) => states.indexOf(a.state) - states.indexOf(b.state));
  const wrong = examined.filter(({ state }) => state !== 'ok').length;
  if (wrong === 0) return { worstFirst, summary: 'Everything that Pagewright needs works.' };
  return { worstFirst, summary: `${wrong === 1 ? 'One finding needs' : `${wrong} findings need`} your attention.` };
}
