import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { ScriptRequest, ScriptStep } from '../../local/model/script.ts';
import { type ModelServer, startModelServer } from '../../local/model/start-model-server.ts';
import { describeRequest } from './describe-request.ts';

const answerSchema = z.strictObject({
  text: z.string().exactOptional(),
  calls: z
    .array(z.strictObject({ name: z.string(), arguments: z.union([z.string(), z.looseObject({})]) }))
    .exactOptional(),
});
const lookEveryMs = 200;

/**
 * A model server whose answers are files. Each request becomes a folder of `directory`, such as `0003-conversation-1`, with `request.md` to read and
 * `request.json` as it arrived. A person writes the answer to `answer.json` there: `{"text": "…", "calls": [{"name": "read_file",
 * "arguments": {"path": "index.md"}}]}`. `onProblem` reports a file that is not such an answer, and the server reads it again.
 */
export async function startModelByHand({
  directory,
  port = 0,
  onRequest,
  onProblem,
  signal,
}: {
  directory: string;
  port?: number;
  onRequest: (folder: string, request: ScriptRequest) => void;
  onProblem: (text: string) => void;
  signal: AbortSignal;
}): Promise<ModelServer> {
  let count = 0;
  /** By their first input, which holds the ids of their messages. */
  const conversations = new Map<string, number>();

  function numberOf({ messages }: ScriptRequest): number {
    const first = messages[0]?.text ?? '';
    const number = conversations.get(first) ?? conversations.size + 1;
    conversations.set(first, number);
    return number;
  }

  async function ask(request: ScriptRequest): Promise<ScriptStep> {
    const body = server.requests.at(-1)?.body;
    count += 1;
    const name = `${String(count).padStart(4, '0')}-conversation-${numberOf(request)}`;
    const folder = join(directory, name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'request.json'), JSON.stringify(body));
    await writeFile(join(folder, 'request.md'), describeRequest(request, body));
    onRequest(folder, request);
    return readAnswer(join(folder, 'answer.json'));
  }

  async function readAnswer(path: string): Promise<ScriptStep> {
    let refused = '';
    for (;;) {
      const text = await readFile(path, 'utf8').catch(() => undefined);
      if (text !== undefined && text !== refused) {
        const answer = parseAnswer(text);
        if (typeof answer !== 'string') return answer;
        refused = text;
        onProblem(`${path}: ${answer}`);
      }
      await sleep(lookEveryMs, undefined, { signal });
    }
  }

  const server = await startModelServer({ script: ask, port });
  return server;
}

/** Returns why the text is no answer. */
function parseAnswer(text: string): ScriptStep | string {
  try {
    return answerSchema.parse(JSON.parse(text));
  } catch (error) {
    return error instanceof z.ZodError ? z.prettifyError(error) : 'not valid JSON';
  }
}
