import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readPayload, readPayloadTask } from '../../src/http/webhooks/read-payload.ts';
import type { OutgoingContext } from '../../src/text/neutralize/addresses.ts';
import { neutralizeMarkdown } from '../../src/text/neutralize/neutralize-markdown.ts';
import { createThreads, type ThreadTask } from '../../src/threads/threads.ts';
import { describeDuration, describeLatencies, type Figure } from '../figures/figure.ts';

const tries = 20;
const textCharacters = 200_000;
const payloadBytes = 18_800_000;

const context: OutgoingContext = { repository: 'https://github.com/acme/docs', allowedHosts: ['docs.example.com'] };
const paragraph =
  'See [the guide](https://docs.example.com/guide), @rita and #12; `code` and **bold** stay, ![x](https://evil.example/y.png) does not.\n\n';

/** Long texts of the agent and of GitHub. Also how long the event loop waits meanwhile. */
export async function benchTexts(): Promise<Figure[]> {
  const threads = createThreads();
  const { signal } = new AbortController();
  const text = paragraph.repeat(Math.ceil(textCharacters / paragraph.length)).slice(0, textCharacters);
  await threads.run(neutralizeTask, text.slice(0, 1_000), { signal });
  const latencies: number[] = [];
  const heldByText = await measureDelay(async () => {
    for (let index = 0; index < tries; index += 1) {
      const startedAt = performance.now();
      await threads.run(neutralizeTask, text, { signal });
      latencies.push(performance.now() - startedAt);
    }
  });

  const body = writePush();
  const startedAt = performance.now();
  readPayload(body);
  const inline = performance.now() - startedAt;
  const heldByPayload = await measureDelay(() => threads.run(readPayloadTask, body, { signal }));
  await threads.close();
  return [
    describeLatencies('neutralize 200 kB, in a thread', latencies, { share: 0.99 }),
    describeDuration('longest wait of the event loop for it', heldByText, { goalMs: 20 }),
    describeDuration('a webhook of 18.8 MB, if it were read on the event loop', inline),
    describeDuration('longest wait of the event loop for it, in a thread', heldByPayload, { goalMs: 20 }),
  ];
}

const neutralizeTask: ThreadTask<string, string> = { module: import.meta.url, work: neutralizeText };

export function neutralizeText(text: string): string {
  return neutralizeMarkdown(text, context);
}

async function measureDelay(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

/** A push with many files. */
function writePush(): Uint8Array<ArrayBuffer> {
  const files: string[] = [];
  for (let bytes = 0; bytes < payloadBytes; bytes += (files.at(-1)?.length ?? 0) + 3)
    files.push(`docs/guides/section-${files.length % 97}/page-${files.length}.md`);
  const commits = [{ added: files, modified: [], removed: [] }];
  return new Uint8Array(Buffer.from(JSON.stringify({ ref: 'refs/heads/main', commits })));
}
