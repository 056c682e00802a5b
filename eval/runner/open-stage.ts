import { createPrivateKey } from '../../harness/create-private-key.ts';
import { openEmbeddedDatabase } from '../../harness/embedded-database.ts';
import { shortTiming } from '../../harness/short-timing.ts';
import { startInWorld } from '../../harness/start-service.ts';
import { openWorld } from '../../harness/world.ts';
import { UsageError } from '../../src/cli/report-usage.ts';
import { parseConfig } from '../../src/config/config.ts';
import { realTiming } from '../../src/timing.ts';
import { findServerProblem } from './find-server-problem.ts';

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The variables about the model and the limits of a run. */
const isPassedOn = (name: string) => /^(?:OPENAI|RUN_MAX)_/.test(name);

/** Far more requests than GitHub grants an App: the rate limit is not measured. */
const hourlyLimit = 1_000_000;

/**
 * The whole service in this process, with a new stand-in for GitHub and a new database. Only the model is outside. Throws `ConfigError`, and
 * `UsageError` if the model server cannot be used.
 */
export async function openStage({
  environment,
  concurrency,
  minutes,
  signal,
}: {
  environment: NodeJS.ProcessEnv;
  concurrency: number;
  minutes: number;
  signal: AbortSignal;
}) {
  const privateKey = createPrivateKey();
  const settings: Record<string, string> = {
    JOB_RATE_LIMIT_PER_HOUR: '0',
    WORKER_CONCURRENCY: String(concurrency),
    RUN_MAX_SECONDS: String(minutes * 60),
  };
  for (const [name, value] of Object.entries(environment)) if (isPassedOn(name) && value) settings[name] = value;
  const app = { APP_ID: '1', PRIVATE_KEY: privateKey, WEBHOOK_SECRET: 'of-no-webhook-yet' };
  const { openai } = parseConfig({ ...settings, ...app });
  const problem = await findServerProblem(openai, signal);
  if (problem !== undefined) throw new UsageError(problem);

  await using cleanup = new AsyncDisposableStack();
  const script = () => ({ fault: { kind: 'status', status: 404 } }) as const;
  const world = cleanup.use(await openWorld({ script, openDatabase: openEmbeddedDatabase, hourlyLimit, privateKey }));
  const own = Object.entries(world.environment).filter(([name]) => !isPassedOn(name));
  // A person may be the model.
  const patience = { idleTimeoutMs: minutes * 60_000, requestTimeoutMs: minutes * 60_000 };
  const timing = {
    ...shortTiming,
    model: { ...realTiming.model, ...patience },
    // A person who ends an evaluation does not wait for an answer.
    shutdown: { ...shortTiming.shutdown, answerGraceMs: 0 },
  };
  const serviceWorld = { ...world, environment: Object.fromEntries(own), projectId: '', key: '' };
  const service = cleanup.use(await startInWorld(serviceWorld, settings, timing));
  const held = cleanup.move();
  const [model] = openai.models;
  return { world, url: service.url, model, [Symbol.asyncDispose]: () => held.disposeAsync() };
}
