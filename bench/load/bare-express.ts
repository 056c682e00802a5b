import express from 'express';
import pg from 'pg';

// A separate process: the least work of an Express server that answers with a row.
const { DATABASE_URL: connectionString } = process.env;
const pool = new pg.Pool({ connectionString });
const app = express();
app.get('/job/:jobId', async (request, response) => {
  const { rows } = await pool.query('select * from jobs where job_id = $1', [request.params.jobId]);
  response.json(rows[0]);
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : undefined);
});
// Ends with the bench.
process.once('disconnect', () => process.exit());
