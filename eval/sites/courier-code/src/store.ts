export interface Message {
  id: string;
  to: string;
  body: string;
}

const queues = new Map<string, Message[]>();

export const loadQueue = async (name: string): Promise<Message[]> => queues.get(name) ?? [];

export async function moveToDead(body: string): Promise<void> {
  const dead = queues.get('dead') ?? [];
  queues.set('dead', [...dead, { id: crypto.randomUUID(), to: '', body }]);
}
