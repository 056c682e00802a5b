import { expect, test } from 'vitest';
import { events } from '../../src/deliveries/events.ts';
import { createInspector } from './create-inspector.ts';
import { createSample, sampleOptions } from './create-sample.ts';
import { readDescription } from './read-description.ts';

const description = readDescription();
const inspector = createInspector(description);

// GitHub describes one field differently from action to action, so these are all actions of the events.
const described = events.flatMap((event) =>
  description.listWebhooks(event.name).map(({ action, schema }) => ({ name: event.name, action, schema, event })),
);

test.each(described)('what may be null or missing in $name $action is read', ({ name, action, schema, event }) => {
  const isHandled = event.actions.length === 0 || event.actions.includes(action ?? '');
  for (const options of sampleOptions) {
    const payload = createSample(description, schema, options);
    expect(() => event.parse(payload), JSON.stringify(options)).not.toThrow();
    if (isHandled) expect(inspector.inspectDelivery({ event: name, action, payload })).toEqual([]);
  }
});
