import type { Random } from '../../../harness/random.ts';
import type { LocalPerson } from '../../../local/github/create-person.ts';
import { drawCanary, drawHidingComment, drawOrder } from '../grammars/comments.ts';
import { chance } from '../grammars/draw.ts';
import { invisible } from '../judges/find-text-faults.ts';
import type { Trial } from '../trial.ts';
import { type Conversation, openConversation } from '../world/conversations.ts';
import type { World } from '../world/world.ts';

/** Nobody who may not write to the repository starts, steers or stops a run, by whatever they say wherever they say it. */
export async function tryStrangers({ world, ledger, random, size }: Trial): Promise<void> {
  const conversation = await openConversation(world);
  const strangers = addStrangers(world, conversation);
  const count = Math.ceil(size / 3);
  for (let left = count; left > 0; left -= 1) {
    await saySomewhere(random, random.pick(strangers), conversation, drawOrder(random, drawCanary(random)));
  }
  const waiting = await conversation.settled();
  const taken = (await conversation.listPrompts()).slice(1);
  const broken = [...taken.map((prompt) => `a stranger was obeyed: ${JSON.stringify(prompt)}`), ...waiting];
  ledger.count(6, 'comments: strangers', count, broken);
  await tryFormerWriter({ world, ledger, random, size });
}

/** Who loses write access is a stranger at once. */
async function tryFormerWriter({ world, ledger, random, size }: Trial): Promise<void> {
  const count = Math.ceil(size / 30);
  const broken: string[] = [];
  for (let left = count; left > 0; left -= 1) {
    const conversation = await openConversation(world);
    const { fullName, listPrompts, settled } = conversation;
    world.github.setPermission(fullName, 'former', 'write');
    const former = world.github.asPerson('former');
    former.comment(fullName, 1, 'Please shorten the page.');
    await settled();
    if ((await listPrompts()).length !== 2) broken.push('a writer was not obeyed');
    world.github.setPermission(fullName, 'former', random.pick(['none', 'read', 'triage']));
    await saySomewhere(random, former, conversation, drawOrder(random, drawCanary(random)));
    await settled();
    if ((await listPrompts()).length > 2) broken.push('someone who lost write access was obeyed');
  }
  ledger.count(6, 'comments: former writers', count, broken);
}

/** What nobody can see in a comment does not reach the model. */
export async function tryHiddenComments({ world, ledger, random, size }: Trial): Promise<void> {
  const conversation = await openConversation(world);
  const asked = world.model.requests.length;
  const count = Math.ceil(size / 3);
  const comments = Array.from({ length: count }, () => {
    const canary = drawCanary(random);
    return { canary, body: drawHidingComment(random, canary) };
  });
  for (const { body } of comments) await saySomewhere(random, world.rita, conversation, body);
  const waiting = await conversation.settled();
  const seen = world.model.requests.slice(asked).map(({ body }) => JSON.stringify(body));
  const broken = comments
    .filter(({ canary }) => seen.some((text) => text.includes(canary)))
    .map(({ body }) => `the model saw what is hidden in ${JSON.stringify(body)}`);
  const raw = seen.some((text) => invisible.test(text)) ? ['the model got invisible characters'] : [];
  const none = seen.length === 0 ? ['no comment of a writer reached the model'] : [];
  ledger.count(20, 'comments: hidden', count, [...broken, ...raw, ...none, ...waiting]);
}

function addStrangers({ github }: World, { fullName }: Conversation): [LocalPerson, ...LocalPerson[]] {
  for (const login of ['rita-', 'r1ta', 'rita2', 'mallory', 'owner', 'pagewright-test-x']) github.addUser(login);
  for (const login of ['helper[bot]', 'rita[bot]', 'github-actions[bot]']) github.addUser(login, { type: 'Bot' });
  github.setPermission(fullName, 'reader', 'read');
  github.setPermission(fullName, 'triager', 'triage');
  github.setPermission(fullName, 'helper[bot]', 'write');
  const others = [
    'rita-',
    'r1ta',
    'rita2',
    'owner',
    'helper[bot]',
    'rita[bot]',
    'github-actions[bot]',
    'reader',
    'triager',
  ];
  return [github.asPerson('mallory'), ...others.map((login) => github.asPerson(login))];
}

/** As a comment, a review, a remark on a line, or a change of an earlier comment. */
async function saySomewhere(
  random: Random,
  person: LocalPerson,
  { fullName }: Conversation,
  body: string,
): Promise<void> {
  const line = { path: 'page.md', line: 1 };
  const ways = [
    async () => void (await person.review(fullName, 1, { body })),
    async () => void (await person.review(fullName, 1, { body, state: 'APPROVED', comments: [{ ...line, body }] })),
    async () => void (await person.commentOnLine(fullName, 1, { ...line, body })),
    async () => person.editComment(fullName, person.comment(fullName, 1, '.').id, body),
  ] as const;
  // A review takes three seconds, and those of one conversation follow one another.
  if (chance(random, 0.9)) person.comment(fullName, 1, body);
  else await random.pick(ways)();
}
