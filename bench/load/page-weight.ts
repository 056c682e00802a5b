import { setTimeout as pause } from 'node:timers/promises';
import { launchBrowser } from '../../harness/browser/launch-browser.ts';
import { signIn } from '../../harness/browser/sign-in.ts';
import type { Visitor } from '../../harness/visitor.ts';
import { chosen, type Script } from '../../local/model/script.ts';
import { describeLatencies, type Figure, time } from '../figures/figure.ts';
import type { BenchWorld } from '../world/open-world.ts';
import { createScale, type Weight } from './weigh-pages.ts';

const changedFiles = 15;
const liveTurns = 20;
const thinksMs = 700;
const rounds = 40;
const most = { scriptBytes: 60_000, htmlBytes: 300_000, listMs: 150, stepMs: 1_000 };

const guide = (version: number, number: number) =>
  [
    `# Guide ${number}`,
    '',
    ...Array.from(
      { length: 60 },
      (_, line) => `Step ${line}: call \`v${version}/items/${line}\`, and [wait](limits.md).`,
    ),
    '',
  ].join('\n');
const guidePath = (number: number) => `guide-${String(number).padStart(2, '0')}.md`;

export const weightFiles = Object.fromEntries(
  Array.from({ length: changedFiles }, (_, number) => [guidePath(number), guide(3, number)]),
);

/** When the model answered each turn of the live job. */
const answeredAt: number[] = [];

const rewrite: Script = ({ turn }) =>
  turn === 0
    ? {
        calls: Array.from({ length: changedFiles }, (_, number) => ({
          name: 'write_file',
          arguments: { path: guidePath(number), content: guide(4, number) },
        })),
      }
    : { calls: [{ name: 'finish', arguments: { title: 'Bring the guides to version 4', summary: 'All of them.' } }] };

const work: Script = async ({ turn }) => {
  await pause(thinksMs);
  answeredAt[turn] = Date.now();
  if (turn >= liveTurns) return { calls: [{ name: 'finish', arguments: { title: 'Live', summary: 'It is done.' } }] };
  const path = guidePath(turn % changedFiles);
  const line = 7 + Math.floor(turn / changedFiles);
  return {
    text: `Turn ${turn} begins here.`,
    calls: [{ name: 'edit_file', arguments: { path, old_text: `Step ${line}:`, new_text: `Step ${line}, again:` } }],
  };
};

export const weightScript = chosen([
  { when: 'Rewrite the guides', script: rewrite },
  { when: 'Work for long', script: work },
]);

/** What a browser loads, and how long the service takes: lists, a change of many files, and a job at work. */
export async function weighPages(world: BenchWorld, rita: Visitor): Promise<Figure[]> {
  const { projectId, url } = world;
  const project = `/projects/${projectId}`;
  const big = `${project}/jobs/${await settle(world, 'Rewrite the guides.')}`;
  const browser = await launchBrowser();
  try {
    const tab = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    await signIn(tab, url);
    const scale = await createScale(tab);
    const figures: Figure[] = [];
    const pages = { projects: '/projects', jobs: project, usage: `${project}/usage`, settings: `${project}/settings` };
    for (const [name, path] of Object.entries(pages)) {
      figures.push(describeWeight(name, await scale.weigh(`${url}${path}`)));
      figures.push(describeLatencies(`${name}: the service`, await repeat(rita, path), { goalMs: most.listMs }));
    }
    const change = await scale.weigh(`${url}${big}`);
    figures.push(describeWeight(`a change of ${changedFiles} files`, change));
    figures.push(describeLatencies('its service', await repeat(rita, big), { goalMs: 300 }));
    figures.push({
      what: 'its HTML',
      measured: `${toKilobytes(change.htmlBytes)}`,
      goal: { text: '≤ 300 kB', isMet: change.htmlBytes <= most.htmlBytes },
    });
    figures.push({
      what: 'script, compressed',
      measured: `${toKilobytes(change.scriptBytes)}`,
      goal: { text: '≤ 60 kB', isMet: change.scriptBytes <= most.scriptBytes },
    });
    const live = await world.createJob('Work for long.');
    figures.push(...(await watch(tab, scale, { world, jobId: live, address: `${url}${project}/jobs/${live}` })));
    return figures;
  } finally {
    await browser.close();
  }
}

async function settle(world: BenchWorld, prompt: string): Promise<string> {
  const jobId = await world.createJob(prompt);
  await world.untilSettled(jobId);
  return jobId;
}

/** A tab notes when the words of each turn are on the page. */
const noteSteps = `
  window.seen = {};
  const look = () => { for (const [, turn] of document.body.textContent.matchAll(/Turn (\\d+) begins here/g)) window.seen[turn] ??= Date.now(); };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });`;

async function watch(
  tab: Parameters<typeof createScale>[0],
  scale: Awaited<ReturnType<typeof createScale>>,
  { world, jobId, address }: { world: BenchWorld; jobId: string; address: string },
): Promise<Figure[]> {
  await tab.goto(address);
  await tab.evaluate(noteSteps);
  scale.reset();
  await world.untilSettled(jobId);
  await tab.locator('#job .status:not(.status-working)').waitFor();
  const { bytes, requests } = scale.read();
  const seen = await tab.evaluate<Record<string, number>>('window.seen');
  const delays = answeredAt.flatMap((at, turn) => (seen[turn] === undefined ? [] : [seen[turn] - at]));
  return [
    describeLatencies('from the model’s answer to the step on the page', delays, { share: 0.5, goalMs: most.stepMs }),
    { what: `a live job of ${liveTurns} turns`, measured: `${toKilobytes(bytes)}, ${requests} requests` },
  ];
}

async function repeat(rita: Visitor, path: string): Promise<number[]> {
  const latencies: number[] = [];
  for (let round = -5; round < rounds; round += 1) {
    const took = await time(async () => {
      const { status } = await rita.get(path);
      if (status !== 200) throw new Error(`${path} was answered ${status}`);
    });
    if (round >= 0) latencies.push(took);
  }
  return latencies;
}

const describeWeight = (what: string, { bytes, htmlBytes, requests, elements }: Weight): Figure => ({
  what,
  measured: `${toKilobytes(bytes)} (HTML ${toKilobytes(htmlBytes)}), ${requests} requests, ${elements} elements`,
});

const toKilobytes = (bytes: number) => `${Math.round(bytes / 1_000)} kB`;
