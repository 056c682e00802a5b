import { createHash, randomUUID } from 'node:crypto';
import express from 'express';
import helmet from 'helmet';
import pg from 'pg';
import { pino } from 'pino';
import { pinoHttp } from 'pino-http';

// A separate process: a plain Express server with the same middleware, the lookup of a key, and the row of a job.
const { DATABASE_URL: connectionString } = process.env;
const pool = new pg.Pool({ connectionString });
const app = express().disable('x-powered-by').disable('etag');
app.use(pinoHttp({ logger: pino(pino.destination({ sync: true })), genReqId: () => randomUUID() }), helmet());
app.get('/v2/agent/:projectId/job/:jobId', async (request, response) => {
  const digest = createHash('sha256').update(request.get('authorization')?.slice('Bearer '.length) ?? '');
  const { rows: keys } = await pool.query(
    `select api_keys.*, owner, repo from api_keys join projects using (project_id)
      where sha256 = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [digest.digest()],
  );
  const { jobId } = request.params;
  const [key] = keys;
  const found = 'select * from jobs where job_id = $1 and project_id = $2';
  const { rows } = await pool.query(found, [jobId, key.project_id]);
  response.json(rows[0]);
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : undefined);
});
// Ends with the bench.
process.once('disconnect', () => process.exit());
