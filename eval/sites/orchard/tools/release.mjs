import { execFileSync } from 'node:child_process';

for (const name of ['server', 'client']) execFileSync('npm', ['publish', `packages/${name}`]);
