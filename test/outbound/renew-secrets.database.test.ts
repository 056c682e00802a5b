import { beforeEach, expect, test } from 'vitest';
import { createSeal } from '../../src/outbound/seal.ts';
import { renewSecrets } from '../../src/outbound/webhooks.ts';
import { setUpProject } from '../support/databases/set-up-project.ts';

const db = setUpProject();

const [old, next, lost] = [1, 2, 3].map((fill) => Buffer.alloc(32, fill));
if (!old || !next || !lost) throw new Error('no keys');
const seals = { old: createSeal(() => [old]), next: createSeal(() => [next]), lost: createSeal(() => [lost]) };
/** The keys of a process that was restarted with the new key in front. */
const both = createSeal(() => [next, old]);
const renew = () => renewSecrets({ database: db.database, seal: both });
const later = new Date(Date.now() + 3600_000);
const earlier = new Date(Date.now() - 3600_000);

interface Stored {
  by: keyof typeof seals;
  previous?: { by: keyof typeof seals; until: Date };
}

async function store(webhooks: readonly Stored[]): Promise<string[]> {
  const rows = webhooks.map(({ by, previous }, index) => {
    const id = `whk_${String(index).padStart(26, '0')}`;
    return {
      webhook_id: id,
      project_id: db.projectId,
      url: 'https://a.example',
      events: '[]',
      secret: seals[by].close(`secret ${index}`, id),
      previous_secret: previous ? seals[previous.by].close(`previous ${index}`, id) : null,
      previous_secret_until: previous?.until ?? null,
    };
  });
  await db.database.insertInto('webhooks').values(rows).execute();
  return rows.map(({ webhook_id: id }) => id);
}

const read = () => db.database.selectFrom('webhooks').selectAll().orderBy('webhook_id').execute();

beforeEach(() => db.database.deleteFrom('webhooks').execute());

test('promise 29: the secrets of all webhooks are encrypted with the first key, once', async () => {
  await store(Array.from({ length: 201 }, () => ({ by: 'old' })));
  expect(await renew()).toEqual({ webhooks: 201, renewed: 201, lost: [] });
  expect(await renew()).toEqual({ webhooks: 201, renewed: 0, lost: [] });
  const opened = (await read()).map(({ webhook_id: id, secret }) => seals.next.open(secret, id));
  expect(opened).toEqual(opened.map((_secret, index) => `secret ${index}`));
});

test('promise 29: the secret before a rotation is encrypted anew as long as it is valid', async () => {
  await store([
    { by: 'next', previous: { by: 'old', until: later } },
    { by: 'old', previous: { by: 'next', until: later } },
    { by: 'old', previous: { by: 'lost', until: earlier } },
  ]);
  expect(await renew()).toEqual({ webhooks: 3, renewed: 3, lost: [] });
  const opened = (await read()).map(({ webhook_id: id, secret, previous_secret: previous }) => [
    seals.next.open(secret, id),
    previous && seals.next.open(previous, id),
  ]);
  expect(opened).toEqual([
    ['secret 0', 'previous 0'],
    ['secret 1', 'previous 1'],
    ['secret 2', null],
  ]);
});

test('promise 29: a secret that no key opens is named, stays as it was, and holds up no other', async () => {
  const ids = await store([{ by: 'lost' }, { by: 'old', previous: { by: 'lost', until: later } }, { by: 'old' }]);
  const before = await read();
  expect(await renew()).toEqual({ webhooks: 3, renewed: 1, lost: ids.slice(0, 2) });
  expect((await read()).slice(0, 2)).toEqual(before.slice(0, 2));
});
