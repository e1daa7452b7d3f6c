// Counts for some seconds, one line each: something to watch while it runs.
// Usage: count.js [seconds], 1 to 30, default 3.
const MAX_SECONDS = 30;
const given = process.argv[2] ?? '3';
const seconds = Number(given);

if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_SECONDS) {
  console.error(
    `count.js: seconds must be a whole number from 1 to ${MAX_SECONDS}, got ${JSON.stringify(given)}`,
  );
  process.exit(2);
}

let passed = 0;
console.log(`counting to ${seconds}`);
const timer = setInterval(() => {
  passed += 1;
  console.log(`${passed} of ${seconds}`);
  if (passed === seconds) {
    clearInterval(timer);
    console.log('done');
  }
}, 1000);
