import type { ApiRequest } from './project-route.ts';

/** Whether the caller wants `type` rather than `usual`: `usual` also wins if both are as good, or the caller wants neither. */
export function prefersType(request: ApiRequest, type: string, usual: string): boolean {
  // With a charset, as some clients send it, it is another type for the negotiation.
  const names = [usual, type].flatMap((name) => [name, `${name};charset=utf-8`]);
  return String(request.accepts(names)).startsWith(type);
}
