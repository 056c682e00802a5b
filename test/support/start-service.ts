import { parseConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/log.ts';
import { startService } from '../../src/service.ts';
import { createRedactor } from '../../src/text/redact.ts';
import { createCaller, type World } from './world.ts';

/** The whole service in this process, in a world; `lines` is what it logged. Its webhooks are connected. */
export async function startInWorld(world: World, environment: Record<string, string> = {}) {
  const config = parseConfig({ ...world.environment, ...environment });
  const { github, openai } = config;
  const redactor = createRedactor([github.privateKey, github.webhookSecret, openai.apiKey]);
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ level: 'debug', redact: redactor.redact, destination });
  const service = await startService({ config, log, redactor });
  world.github.setWebhook(`${service.url}/api/github/webhooks`, github.webhookSecret);
  return {
    url: service.url,
    lines,
    caller: createCaller({ url: service.url, world }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
