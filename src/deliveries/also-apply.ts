import type { StoreTx } from '../store/store.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { EventHandler } from './github-event.ts';
import type { CommonFields } from './payload.ts';

/** A handler that does something more. The delivery is done if either changes something. `find`: what to do; undefined: nothing. */
export const alsoApply =
  <Fields extends CommonFields>(
    handle: EventHandler<Fields>,
    find: (context: DeliveryContext<Fields>) => Promise<((store: StoreTx) => Promise<boolean>) | undefined>,
  ): EventHandler<Fields> =>
  async (context) => {
    const changed = await handle(context);
    if (changed instanceof Date) return changed;
    const also = await find(context);
    if (!also) return changed;
    return async (store) => {
      const outcome = typeof changed === 'function' ? await changed(store) : changed;
      if (outcome instanceof Date) return outcome;
      return (await also(store)) ? undefined : outcome;
    };
  };
