import type { EventHandler } from './event-handler.ts';
import { installationChanged } from './installation.ts';
import { pushed } from './push.ts';

/** Another default branch, among other things: it has settings of its own. */
export const repositoryEdited: EventHandler = async (parts, delivery) => {
  const halves = [await installationChanged(parts, delivery), await pushed(parts, delivery)];
  return async (store) => {
    for (const half of halves) if (typeof half !== 'string') await half(store);
    return undefined;
  };
};
