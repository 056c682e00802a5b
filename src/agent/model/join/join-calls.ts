import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { storableText } from '../../journal.ts';
import type { ChatCall } from '../chat-messages.ts';
import { createArguments } from './join-arguments.ts';
import { joinFields } from './join-deltas.ts';

const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null);
export const callDelta = z.looseObject({
  index: z.coerce.number().int().nullish().catch(null),
  id: text,
  type: z.unknown().optional(),
  function: z.object({ name: text, arguments: z.unknown().optional() }).nullish().catch(null),
});
type CallDelta = z.infer<typeof callDelta>;

interface OpenCall {
  id: string;
  name: string;
  arguments: ReturnType<typeof createArguments>;
  /** What the server adds, such as Gemini's thought signature. */
  extra: Record<string, unknown>;
  /** The call before it with the same index. */
  previous: OpenCall | undefined;
}

/** Joins the deltas of tool calls by their index. Name and id of a call are set once, wherever they arrive, and only arguments are appended. */
export function createCalls() {
  const calls: OpenCall[] = [];
  // A map: with very many calls, a search for each chunk would block the event loop.
  const latest = new Map<number, OpenCall>();

  return {
    add(delta: CallDelta): void {
      const { index, id, type: _, function: called, ...extra } = delta;
      const name = called?.name ?? '';
      const known = index == null ? calls.at(-1) : latest.get(index);
      const isSame = known?.name === name && known.arguments.isRepeatedBy(called?.arguments);
      if (isSame && (index != null || !hasOtherId(known, id))) return;
      const call = known && !startsCall(known, delta) ? known : open(known);
      if (call !== known && index != null) latest.set(index, call);
      call.id ||= id ?? '';
      call.name = joinName(call, name);
      call.arguments.add(called?.arguments);
      joinFields(call.extra, extra);
    },
    /** Gives each call a unique and storable id: results are matched by it. */
    finish(): { calls: ChatCall[]; areWhole: boolean } {
      const real = calls.filter((call) => !isEcho(call));
      const ids = new Set<string>();
      return {
        areWhole: real.length > 0 && real.every((call) => call.name !== '' && call.arguments.isWhole()),
        calls: real.map((call) => {
          const id = storableText(call.id);
          const callId = id === '' || ids.has(id) ? `call_${randomUUID()}` : id;
          ids.add(callId);
          const { name, extra } = call;
          return { callId, name: storableText(name), arguments: storableText(call.arguments.settle()), extra };
        }),
      };
    },
  };

  function open(previous: OpenCall | undefined): OpenCall {
    const call = { id: '', name: '', arguments: createArguments(), extra: {}, previous };
    calls.push(call);
    return call;
  }
}

/** Some servers give each call index 0, some each delta an id of its own: only a name after a complete call tells them apart. */
function startsCall(known: OpenCall, { index, id, function: called }: CallDelta): boolean {
  const name = called?.name ?? '';
  if (name === '' || known.name === '') return false;
  const isOtherId = hasOtherId(known, id);
  if (isOtherId && index == null) return true;
  if (name !== known.name) return isOtherId || !known.arguments.isEmpty();
  const isOther = isOtherId || index == null;
  return isOther && known.arguments.isWhole() && !known.arguments.isExtendedBy(called?.arguments);
}

const hasOtherId = (known: OpenCall, id: string | null | undefined) => known.id !== '' && !!id && id !== known.id;

/** A name may also arrive in pieces, as long as there are no arguments. */
function joinName({ name: known, arguments: given }: OpenCall, name: string): string {
  if (known === '' || name.startsWith(known)) return name || known;
  return known === name || !given.isEmpty() ? known : known + name;
}

/** The name of a complete call once more, with a new id and nothing else. */
const isEcho = ({ name, arguments: given, previous }: OpenCall) => given.isEmpty() && previous?.name === name;
