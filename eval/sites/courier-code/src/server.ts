import express from 'express';
import { config } from './config.ts';
import { messages } from './routes/messages.ts';

const app = express();
app.use('/messages', messages);
app.listen(config.port);
