import { z } from 'zod';

const pullRequests = z.array(
  z.object({
    number: z.number(),
    html_url: z.string(),
    body: z.string(),
    user: z.object({ login: z.string() }),
    head: z.object({ ref: z.string() }),
  }),
);

/** The pull requests of a public repository, the oldest first. */
export async function readPullRequests({
  apiUrl,
  fullName,
  signal,
}: {
  apiUrl: string;
  fullName: string;
  signal: AbortSignal;
}) {
  const response = await fetch(`${apiUrl}/repos/${fullName}/pulls?state=all&per_page=100`, { signal });
  if (!response.ok) throw new Error(`could not read the pull requests of ${fullName}: ${response.status}`);
  return pullRequests.parse(await response.json()).toSorted((one, other) => one.number - other.number);
}

/** A description as people see it before they open its details, and the evidence among these. */
export function readDescription(body: string): { text: string; evidence: string[] } {
  const [text = ''] = body.replaceAll(/<!--[^>]*-->/g, '').split('<details>');
  return { text: text.trim(), evidence: body.split('\n').filter((line) => line.includes('/blob/')) };
}
