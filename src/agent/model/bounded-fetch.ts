import { BrokenAnswer } from './broken-answer.ts';

/**
 * `fetch` whose answers break off beyond `maxBytes`, and unsuccessful ones beyond `maxErrorBytes`: a server that floods us can fill neither
 * our memory, even with one endless line, nor our log with its error page.
 */
export function createBoundedFetch({
  maxBytes,
  maxErrorBytes,
}: {
  maxBytes: number;
  maxErrorBytes: number;
}): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) {
      return response;
    }
    const bytes = response.ok ? maxBytes : maxErrorBytes;
    let left = bytes;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left < 0) {
          const code = response.ok ? 'answer_too_large' : null;
          controller.error(new BrokenAnswer(`more than ${bytes} bytes`, { code }));
        } else {
          controller.enqueue(chunk);
        }
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bound), { status, statusText, headers });
  };
}
