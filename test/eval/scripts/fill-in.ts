import { readMessages } from '../../../local/demo/read-messages.ts';
import type { ScriptRequest } from '../../../local/model/script.ts';

/** The arguments of a scripted call, with the threads of a review and the repository of the code as the service names them. */
export function fillIn(args: object, request: ScriptRequest): string {
  const threads = readMessages(request).flatMap((message) => message.threads);
  const [, code = ''] =
    /<change pull-request="([^"#]+)#/.exec(request.messages.map(({ text }) => text).join('\n')) ?? [];
  return JSON.stringify(args)
    .replace(/"thread-(\d)"/g, (_, number) => JSON.stringify(threads[Number(number) - 1]?.threadId))
    .replaceAll('"@CODE/', `"@${code}/`);
}
