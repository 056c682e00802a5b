import type { Script, ScriptRequest } from '../../local/model/script.ts';
import type { RecordedRequest } from '../../local/model/start-model-server.ts';

/** Writes the newest instruction into a page, then finishes: two turns for each run, and a change in each. */
export const followInstruction: Script = (request) => {
  const instruction = readInstruction(request);
  if (request.turn === 0) {
    const page = { path: 'limits.md', content: `# Limits\n\n${instruction}\n` };
    return { calls: [{ name: 'write_file', arguments: page }] };
  }
  return { calls: [{ name: 'finish', arguments: { summary: `Wrote: ${instruction}`, title: instruction } }] };
};

function readInstruction({ messages }: ScriptRequest): string {
  const said = messages.map(({ text }) => text).join('\n');
  return [...said.matchAll(/<message[^>]*>(.*?)<\/message>/gs)].at(-1)?.[1] ?? 'nothing';
}

/** How many requests were the same as one before. */
export function countRepeats(requests: readonly RecordedRequest[]): number {
  return requests.length - new Set(requests.map(({ body }) => JSON.stringify(body))).size;
}
