import { parseConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/log.ts';
import { startService } from '../../../src/service.ts';
import { createRedactor } from '../../../src/text/redact.ts';
import { createGates } from './gates.ts';
import { orderSchema } from './point.ts';

// The service as main.ts starts it, but each step passes a gate that the parent process can close.
const { CLAIMS, DIE_AT, ...environment } = process.env;
const config = parseConfig(environment);
const { privateKey, webhookSecret } = config.github;
const redactor = createRedactor([privateKey, webhookSecret, config.openai.apiKey]);
const log = createLog({ level: config.logLevel, redact: redactor.redact });
const gates = createGates({
  claims: CLAIMS === 'closed' ? 'closed' : 'open',
  dieAt: DIE_AT,
  tell: (report) => void (process.connected && process.send?.(report)),
});
process.on('message', (message) => gates.obey(orderSchema.parse(message)));
// The parent is gone, and nobody else would end this process.
process.on('disconnect', () => process.exit(1));

const service = await startService({ config, log, redactor, takeStep: gates.takeStep });
process.send?.({ url: service.url });
process.once('SIGTERM', async () => {
  gates.obey({ claims: 'open' });
  await service[Symbol.asyncDispose]();
  process.exit(0);
});
