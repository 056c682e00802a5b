import type { Node } from '@babel/types';
import type { Regions } from './find-regions.ts';
import { forEachPart, isNode } from './syntax.ts';

/** A tree as tokens: equal trees have equal tokens. A container is one token. */
interface Printed {
  tokens: string[];
  /** For each token, where its node begins. */
  starts: number[];
}

export function printCode(root: Node, { byNode, added }: Regions): Printed {
  const tokens: string[] = [];
  const starts: number[] = [];
  print(root, 0);
  return { tokens, starts };

  function add(token: string, start: number): void {
    tokens.push(token);
    starts.push(start);
  }

  function print(part: unknown, outer: number): void {
    if (Array.isArray(part)) {
      add('[', outer);
      for (const item of part) print(item, outer);
      add(']', outer);
    } else if (isNode(part)) {
      if (added.has(part)) return;
      const start = part.start ?? outer;
      const region = byNode.get(part);
      if (region) {
        add(`${part.type} of ${region.container.name}`, start);
        return;
      }
      add(part.type, start);
      forEachPart(part, (key, inner) => {
        add(key, start);
        print(inner, start);
      });
    } else {
      add(part instanceof Object ? JSON.stringify(part) : `${typeof part} ${String(part)}`, outer);
    }
  }
}
