import type { EventHandler } from '../event-handler.ts';
import { repositoryChanged } from './installation.ts';
import { pushed } from './push.ts';

/** A repository has another default branch, which has settings of its own. */
export const repositoryEdited: EventHandler = async (parts, delivery) => {
  const halves = [await repositoryChanged(parts, delivery), await pushed(parts, delivery)];
  return async (store) => {
    for (const half of halves) if (typeof half !== 'string') await half(store);
    return undefined;
  };
};
