import { setTimeout as delay } from 'node:timers/promises';
import type { ScriptStep } from '../../../local/model/script.ts';
import { signed } from '../grammars/deliveries.ts';
import { drawHeavyText, heavyGlobs, heavyKinds, heavyProse, heavySettings } from '../grammars/heavy-texts.ts';
import type { Trial } from '../trial.ts';
import { openConversation } from '../world/conversations.ts';
import { postDelivery, sendGenuine } from '../world/deliver.ts';
import { hijack } from '../world/hijack.ts';
import { openConnection } from '../world/send-raw.ts';
import { watchMemory } from '../world/watch-service.ts';

/** As much as one read of a socket brings. */
const pipelinedBytes = 57 * 1024;
const paths = [
  '/openapi.json',
  '/docs',
  '/livez',
  '/readyz',
  '/',
  '/assets/x.css',
  '/v2/agent/x/job',
  '/nowhere',
] as const;
const attackMs = 3_000;

/** Connections that pipeline requests and never read an answer hold up nobody, and take little memory. */
export async function tryUnreadAnswers({ world, ledger, random, size }: Trial): Promise<void> {
  const counts = [1, 4, 16, ...Array.from({ length: Math.ceil(size / 100) }, () => Math.ceil(random.between(1, 40)))];
  let connections = 0;
  const broken = await watchMemory(world, async () => {
    const found: string[] = [];
    for (const count of counts) {
      connections += count;
      const path = connections === 1 ? '/openapi.json' : random.pick(paths);
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\n\r\n`;
      const sockets = await Promise.all(Array.from({ length: count }, () => openConnection(world.url)));
      for (const socket of sockets) {
        socket.pause();
        socket.write(request.repeat(Math.floor(pipelinedBytes / request.length)));
      }
      const until = performance.now() + attackMs;
      while (performance.now() < until) {
        const faults = await sendGenuine(world);
        found.push(...faults.map((fault) => `${count} connections that do not read ${path}: ${fault}`));
        await delay(50);
      }
      for (const socket of sockets) socket.destroy();
    }
    return found;
  });
  ledger.count(42, 'silence: unread answers', connections, broken);
}

type Call = NonNullable<ScriptStep['calls']>[number];

const callsPerRun = 30;

/** Texts that some parser may be slow with, as files, edits, globs, comments, settings and payloads: a signed delivery never waits. */
export async function tryHeavyTexts(trial: Trial): Promise<void> {
  const { world, ledger, size } = trial;
  const count = Math.max(60, 2 * size);
  const attacks = [tryFiles, tryComments, trySettings, tryPayloads];
  const isOver = new AbortController();
  const found: string[] = [];
  const asking = (async () => {
    while (!isOver.signal.aborted) {
      found.push(...(await sendGenuine(world)));
      await delay(30);
    }
  })();
  try {
    for (const attack of attacks) {
      const before = found.length;
      await attack(trial, count);
      for (let at = before; at < found.length; at += 1) found[at] = `${attack.name}: ${found[at]}`;
    }
  } finally {
    isOver.abort();
    await asking;
  }
  ledger.count(42, 'silence: heavy texts', count, [...new Set(found)]);
}

/** The model writes, edits, reads, searches and lists. */
async function tryFiles({ world, random }: Trial, count: number): Promise<void> {
  const kinds = Object.fromEntries(heavyKinds.map(({ path, base }) => [path, base]));
  const runs = Array.from({ length: Math.ceil(count / callsPerRun) }, async () => {
    const project = await world.addProject(kinds);
    const calls = Array.from({ length: callsPerRun }, (): Call => {
      const { path, base, ...text } = random.pick(heavyKinds);
      const content = drawHeavyText(random, text);
      return random.pick<Call>([
        { name: 'write_file', arguments: { path, content } },
        { name: 'write_file', arguments: { path, content } },
        { name: 'edit_file', arguments: { path, old_text: base.trim().split('\n').at(-1) ?? '', new_text: content } },
        { name: 'edit_file', arguments: { path, old_text: content, new_text: 'x' } },
        {
          name: 'list_files',
          arguments: { glob: drawHeavyText(random, { start: '', units: heavyGlobs }).slice(0, 100) },
        },
        { name: 'search', arguments: { query: content.slice(0, 300) } },
        { name: 'list_files', arguments: { path, titles: true } },
        { name: 'check', arguments: {} },
      ]);
    });
    const words = {
      title: drawHeavyText(random, heavyProse).slice(0, 200),
      summary: drawHeavyText(random, heavyProse),
    };
    await hijack(world, project, { calls, words });
  });
  await Promise.all(runs);
}

async function tryComments({ world, random }: Trial, count: number): Promise<void> {
  const conversation = await openConversation(world);
  for (let left = Math.ceil(count / 4); left > 0; left -= 1)
    // GitHub refuses blank comments.
    world.rita.comment(conversation.fullName, 1, `${drawHeavyText(random, heavyProse).slice(0, 65_000)}.`);
  await conversation.settled();
}

async function trySettings({ world, random }: Trial, count: number): Promise<void> {
  const runs = Array.from({ length: Math.ceil(count / 10) }, async () => {
    const settings = drawHeavyText(random, heavySettings);
    const project = await world.addProject({ 'index.md': '# Docs\n', '.github/pagewright.yml': settings });
    await hijack(world, project, { calls: [], words: { summary: 'Nothing to do.' } });
  });
  await Promise.all(runs);
}

/** Signed deliveries of GitHub with a text in the place of each field that a person writes. */
async function tryPayloads({ world, random }: Trial, count: number): Promise<void> {
  for (let left = Math.ceil(count / 4); left > 0; left -= 1) {
    const text = drawHeavyText(random, heavyProse);
    const nested = '['.repeat(text.length);
    const body = random.pick([
      JSON.stringify({ action: 'created', comment: { body: text }, issue: { title: text, body: text } }),
      JSON.stringify({ action: 'opened', pull_request: { title: text, body: text, head: { ref: text } } }),
      `{"a":${nested}`,
      JSON.stringify({ zen: text }),
    ]);
    const event = random.pick(['issue_comment', 'pull_request', 'ping']);
    await postDelivery(world, { event, body, signature: signed(world.webhook.secret, body) });
  }
}
