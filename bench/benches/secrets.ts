import { findSecrets } from '../../src/secrets/find-secrets.ts';
import { createScanner } from '../../src/secrets/scanner.ts';
import { createThreads } from '../../src/threads/threads.ts';
import { describeDuration, type Figure } from '../figures/figure.ts';

const page = '# Set up\n\nExport `API_KEY`, then open https://example.com/keys and copy the token.\n'.repeat(250);
/** Each piece begins a key that never ends. */
const worst = 'xoxb-'.repeat(200_000);

/** How long the scan for keys takes before a run publishes, and how long it holds the event loop. */
export async function benchSecrets(): Promise<Figure[]> {
  const threads = createThreads();
  const scan = createScanner({ threads });
  const { signal } = new AbortController();
  await findSecrets(page);
  // Starts the thread.
  await scan(worst, { signal });
  const measure = async (texts: readonly string[]) => {
    const startedAt = performance.now();
    for (const text of texts) await scan(text, { signal });
    return performance.now() - startedAt;
  };
  const held = performance.eventLoopUtilization();
  const longest = await measure([worst]);
  const { active } = performance.eventLoopUtilization(held);
  const change = await measure(Array.from({ length: 50 }, () => page));
  await threads.close();
  return [
    describeDuration('a change of 50 pages, 20 kB each', change, { goalMs: 200 }),
    describeDuration('1 MB that begins a key 200,000 times', longest, { goalMs: 200 }),
    describeDuration('of that, on the event loop', active, { goalMs: 20 }),
  ];
}
