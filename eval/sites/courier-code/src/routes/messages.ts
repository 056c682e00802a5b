import { Router } from 'express';
import { loadQueue } from '../store.ts';

export const messages = Router();

const maxListed = 100;

messages.post('/', async (request, response) => {
  response.status(201).json({ id: crypto.randomUUID(), to: request.body.to });
});

messages.get('/', async (request, response) => {
  const limit = Math.min(Number(request.query.limit ?? maxListed), maxListed);
  response.json((await loadQueue('sent')).slice(0, limit));
});
