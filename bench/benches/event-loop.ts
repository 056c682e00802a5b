import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { chosen, type Script, type ScriptStep } from '../../local/model/script.ts';
import { describeLatencies, type Figure } from '../figures/figure.ts';
import { type Answer, answersShape, type SamplePlan } from '../load/sample-latencies.ts';
import { openWorld } from '../world/open-world.ts';
import { leaveIt } from '../world/scripts.ts';

const fileCount = 95_000;
const callsPerAnswer = 100;
const measuredMs = 20_000;
const idleMs = 4_000;

const size = 2 * 1024 ** 2;
const repetitive = 'a'.repeat(size - 1);
const nearMiss = `${'a'.repeat(5_000)}b${'a'.repeat(5_000)}`;

/** How much two hijacked runs, at their worst, delay all others. Takes about 60 s. */
export async function benchEventLoop(): Promise<Figure[]> {
  const asked = { edits: Promise.withResolvers<void>(), lists: Promise.withResolvers<void>() };
  const script = chosen([
    { when: 'Edit.', script: again(edits, asked.edits.resolve) },
    { when: 'List.', script: again(lists, asked.lists.resolve) },
    { when: 'Nothing.', script: leaveIt },
  ]);
  await using world = await openWorld({ script, files: hostileFiles(), environment: { RUN_MAX_TURNS: '500' } });
  const other = await world.addProject('other', { 'index.md': '# Other\n' });
  const { jobId } = await other.untilSettled(await other.createJob('Nothing.'));
  const plans = {
    '/livez': { url: new URL('/livez', other.jobsUrl).href, headers: {}, everyMs: 5 },
    'GET job of another project': {
      url: `${other.jobsUrl}/${jobId}`,
      headers: { authorization: other.headers.authorization },
      everyMs: 5,
    },
  };
  const idle = await measure(plans, () => delay(idleMs));
  const hijacked = await measure(plans, async () => {
    await world.createJob('Edit.');
    await world.createJob('List.');
    await Promise.all([asked.edits.promise, asked.lists.promise]);
    await delay(measuredMs);
  });
  const refused = [...hijacked.values()].flat().filter(({ status }) => status !== 200);
  return [
    ...describe('idle', idle, {}),
    ...describe('two hijacked runs', hijacked, { '/livez': 50, 'GET job of another project': 100 }),
    {
      what: 'answers other than 200',
      measured: String(refused.length),
      goal: { text: '0', isMet: refused.length === 0 },
    },
  ];
}

const again =
  (answer: (turn: number) => ScriptStep, onAsked: () => void): Script =>
  ({ turn }) => {
    onAsked();
    return answer(turn);
  };

const edits = (turn: number): ScriptStep => ({
  calls: Array.from({ length: callsPerAnswer }, (_, index) => ({
    name: 'edit_file',
    arguments: {
      path: index % 2 === 0 ? 'repetitive.md' : 'varied.md',
      old_text:
        index % 2 === 0 ? nearMiss : `line ${index} of the page, with a word that it does not have\n`.repeat(20),
      new_text: `x${turn}-${index}`,
    },
  })),
});

const globs = ['**/*a*b*c*d*e*f*', '**/{a,b}*/**/*z*z*', '*{1,2,3,4,5,6,7,8}*x*y*z'];
const lists = (turn: number): ScriptStep => ({
  calls: Array.from({ length: callsPerAnswer }, (_, index) =>
    index % 10 === 0
      ? { name: 'read_file', arguments: { path: `none/${turn}-${index}.md` } }
      : { name: 'list_files', arguments: { glob: `${globs[index % globs.length]}${turn}${index}` } },
  ),
});

function hostileFiles(): Record<string, string> {
  const varied = Array.from({ length: 60_000 }, (_, line) => `line ${line} of the page, word${line % 997} \n`).join('');
  const pages = Array.from({ length: fileCount }, (_, page) => [
    `docs/section-${page % 300}/topic-${page % 77}/page-with-a-name-${page}.md`,
    '#\n',
  ]);
  return { 'repetitive.md': `${repetitive}\n`, 'varied.md': varied.slice(0, size), ...Object.fromEntries(pages) };
}

async function measure(
  plans: Record<string, SamplePlan>,
  work: () => Promise<unknown>,
): Promise<Map<string, Answer[]>> {
  const samplers = Object.entries(plans).map(([what, workerData]) => {
    const worker = new Worker(new URL('../load/sample-latencies.ts', import.meta.url), { workerData });
    return { what, worker, answers: once(worker, 'message') };
  });
  await work();
  const answers = new Map<string, Answer[]>();
  for (const { what, worker, answers: posted } of samplers) {
    worker.postMessage('over');
    const [message] = await posted;
    answers.set(what, answersShape.parse(message));
  }
  return answers;
}

const describe = (when: string, answers: ReadonlyMap<string, Answer[]>, goals: Record<string, number>): Figure[] =>
  Array.from(answers, ([what, list]) =>
    describeLatencies(
      `${what}, ${when}`,
      list.map(({ ms }) => ms),
      { share: 0.99, ...(goals[what] !== undefined && { goalMs: goals[what] }) },
    ),
  );
