import { setTimeout as delay } from 'node:timers/promises';
import type { ScriptStep } from '../../local/model/script.ts';
import { signed } from '../grammars/deliveries.ts';
import { drawHeavyText, heavyGlobs, heavyKinds, heavyProse, heavySettings } from '../grammars/heavy-texts.ts';
import type { Trial } from '../trial.ts';
import { hijack } from '../world/hijack.ts';
import { openConversation } from '../world/open-conversation.ts';
import { postDelivery } from '../world/post-delivery.ts';
import { sendGenuine } from '../world/send-genuine.ts';

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
        { name: 'outline', arguments: { path } },
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
