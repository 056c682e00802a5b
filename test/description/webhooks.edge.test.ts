import { expect, test } from 'vitest';
import { events } from '../../src/http/webhooks/store-delivery.ts';
import { deliveryFieldsSchema } from '../../src/store/tables/repositories/delivery-fields.ts';
import { createInspector } from './create-inspector.ts';
import { createSample, sampleOptions } from './create-sample.ts';
import { readDescription } from './read-description.ts';

const description = readDescription();
const inspector = createInspector(description);

// GitHub describes one field differently from action to action, so these are all actions of the events.
const names = new Set(events.map((name) => name.replace(/\..*/, '')));
const described = [...names].flatMap((name) => description.listWebhooks(name));
const isHandled = (event: string, action: string | null) =>
  events.some((name) => name === event || name === `${event}.${action}`);

test.each(described)('what may be null or missing in $event $action is read', ({ event, action, schema }) => {
  for (const options of sampleOptions) {
    const payload = createSample(description, schema, options);
    expect(() => deliveryFieldsSchema.parse(payload), JSON.stringify(options)).not.toThrow();
    if (isHandled(event, action)) expect(inspector.inspectDelivery({ event, action, payload })).toEqual([]);
  }
});
