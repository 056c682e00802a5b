import { benchPickUp } from './pick-up.ts';

// One after the other: they would measure each other.
const benches = { 'pick-up': benchPickUp };

for (const [name, bench] of Object.entries(benches)) {
  console.log(name);
  for (const line of await bench()) console.log(`  ${line}`);
}
