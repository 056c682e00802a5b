import type { LocalGitHub } from '../local/github/start-github.ts';
import { parseConfig } from '../src/config/config.ts';
import { createLog } from '../src/log.ts';
import { startService } from '../src/service.ts';
import { createRedactor } from '../src/text/redact.ts';
import { createThreads } from '../src/threads/threads.ts';
import type { Timing } from '../src/timing.ts';
import { createCaller } from './caller.ts';
import { runProcess } from './processes/start-programs.ts';
import { shortTiming } from './short-timing.ts';

/** Shared by all services of this process: loading the code of a thread costs as much as a run. */
const shared = { threads: createThreads({ timing: shortTiming.threads }), runProcess };

/** The parts of a world with a project that starting a service needs. */
export interface ServiceWorld {
  environment: Record<string, string>;
  directory: string;
  github: LocalGitHub;
  projectId: string;
  key: string;
}

/** Starts the whole service in this process, as the target of the world's webhooks. `lines` is its log. Its timing is short by default. */
export async function startInWorld(
  world: ServiceWorld,
  environment: Record<string, string> = {},
  timing: Timing = shortTiming,
) {
  const config = parseConfig({ ...world.environment, ...environment });
  const { github, openai } = config;
  const redactor = createRedactor([github.privateKey, github.webhookSecret, openai.apiKey]);
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ level: 'debug', redact: redactor.redact, destination });
  const mayShare = timing.threads === shortTiming.threads;
  const service = await startService({ config, log, redactor, timing, ...(mayShare && { shared }) });
  world.github.setWebhook(`${service.url}/api/github/webhooks`, github.webhookSecret);
  return {
    url: service.url,
    lines,
    caller: createCaller({ url: service.url, project: world }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
