import { z } from 'zod';
import type { RawAnswer } from '../world/send-raw.ts';

const problemShape = z.object({ type: z.string(), title: z.string(), status: z.number() });

/** Describes a fault in the answer to a request that must be refused. A connection that ends without one is a refusal, too. */
export function findRefusalFault(answer: RawAnswer): string | undefined {
  if (answer.status === 0) return undefined;
  return answer.status < 300 ? `it was carried out: ${answer.status}` : findErrorFault(answer);
}

/** Describes a fault of an error: a 5xx, another form than problem+json, or internal words. */
export function findErrorFault(answer: RawAnswer): string | undefined {
  const { status, head, body } = answer;
  const leak = findLeak(answer);
  if (leak !== undefined || status < 400) return leak;
  if (!/^content-type: application\/problem\+json/im.test(head)) return `${status} is no problem+json`;
  // The answer to HEAD has no body.
  const problem = body === '' ? undefined : problemShape.safeParse(parseJson(body));
  return problem && problem.data?.status !== status ? `${status} has another status in its problem` : undefined;
}

/** Describes a fault that no answer may have. */
export function findLeak({ status, body }: RawAnswer): string | undefined {
  if (status >= 500) return `a ${status}: ${body.slice(0, 200)}`;
  const isFromInside = /node_modules|\bat \S+ \(|\.ts:\d+|node:internal/.test(body);
  return isFromInside ? `an error from inside: ${body.slice(0, 200)}` : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
