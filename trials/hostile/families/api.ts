import {
  type Callers,
  drawBadBody,
  drawBrokenRequest,
  drawForeignRequest,
  drawOperatorRequest,
  type RawRequest,
  write,
} from '../grammars/requests.ts';
import { findErrorFault, findLeak, findRefusalFault } from '../judges/find-answer-fault.ts';
import type { Trial } from '../trial.ts';
import { hijack } from '../world/hijack.ts';
import { type RawAnswer, sendRaw } from '../world/send-raw.ts';
import type { World } from '../world/world.ts';

const together = 8;

/** A key opens its own project and nothing else, in whatever spelling the other's ids are asked for. */
export async function tryForeignIds(trial: Trial): Promise<void> {
  const { world, ledger, random, size } = trial;
  const callers = await openCallers(world);
  const requests = Array.from({ length: size }, () => drawForeignRequest(random, callers));
  const broken = await sendAll(world, requests, (answer) =>
    answer.body.includes(canary) ? 'it shows the other project' : findRefusalFault(answer),
  );
  const jobs = world.database.database.selectFrom('messages').select('prompt');
  const messages = await jobs.where('job_id', '=', callers.theirs.jobId).execute();
  const more = messages.length > 1 ? [`${messages.length - 1} messages reached the other job`] : [];
  ledger.count(12, 'api: foreign ids', size, [...broken, ...more]);
}

/** A body that is no instruction is a 4xx that says so. */
export async function tryBodies({ world, ledger, random, size }: Trial): Promise<void> {
  const callers = await openCallers(world);
  const requests = Array.from({ length: size }, () => drawBadBody(random, callers));
  ledger.count(24, 'api: bodies', size, await sendAll(world, requests, findRefusalFault));
}

/** What is hardly HTTP gets a 4xx, or the connection ends. */
export async function tryBrokenRequests({ world, ledger, random, size }: Trial): Promise<void> {
  const requests = Array.from({ length: size }, () => drawBrokenRequest(random));
  ledger.count(24, 'api: broken requests', size, await sendAll(world, requests, findErrorFault));
}

/** The first set-up, or metrics. The page after it shows a sample key, which begins a line of neither. */
const opened = /<form|^(?:# (?:HELP|TYPE) )?pagewright_/m;

/** A proxy in front opens none of the pages for the machine's own operator. */
export async function tryOperatorPages({ world, ledger, random, size }: Trial): Promise<void> {
  const count = Math.ceil(size / 3);
  const requests = Array.from({ length: count }, () => drawOperatorRequest(random));
  const broken = await sendAll(world, requests, (answer) =>
    opened.test(answer.body) ? `${answer.status} opens it` : findLeak(answer),
  );
  ledger.count(7, 'api: operator pages', count, broken);
}

const canary = 'canary-of-the-other-project';

async function openCallers(world: World): Promise<Callers> {
  const open = async (prompt: string) => {
    const project = await world.addProject({ 'index.md': '# Docs\n' });
    const { jobId } = await hijack(world, project, { calls: [], words: { summary: prompt }, prompt });
    return { projectId: project.projectId, key: project.key, jobId };
  };
  return { mine: await open('Mine.'), theirs: await open(canary) };
}

async function sendAll(
  world: World,
  requests: readonly RawRequest[],
  findFault: (answer: RawAnswer) => string | undefined,
): Promise<string[]> {
  const broken: string[] = [];
  for (let at = 0; at < requests.length; at += together) {
    const found = requests.slice(at, at + together).map(async (request) => {
      const answer = await sendRaw(world.url, [write(request)], { withinMs: 3_000 });
      const fault = findFault(answer);
      const shown = `${request.body.toString('latin1').slice(0, 60)} ${request.head.slice(0, 300)}`;
      return fault ? [`${fault}: ${JSON.stringify(shown)}`] : [];
    });
    broken.push(...(await Promise.all(found)).flat());
  }
  return broken;
}
