import { config } from './config.ts';
import { post } from './post.ts';
import { waitSeconds } from './retry.ts';
import { loadQueue, moveToDead } from './store.ts';

export async function send(body: string, { to, insecure = false }: { to: string; insecure?: boolean }) {
  for (let attempt = 1; attempt <= config.tries; attempt += 1) {
    if (await post(to, body, { insecure })) return true;
    await new Promise((resolve) => setTimeout(resolve, waitSeconds(attempt) * 1000));
  }
  await moveToDead(body);
  return false;
}

export async function drain(queue: string, { limit = Infinity, dryRun = false }) {
  const messages = (await loadQueue(queue)).slice(0, limit);
  for (const { body, to } of messages) {
    if (dryRun) console.log(body);
    else await send(body, { to });
  }
}
