import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Tests drive the built programs; building once here makes a bare `vitest run` right as well.
    globalSetup: ['test/helpers/build.ts'],
    pool: 'forks',
    // Real processes on small machines: budgets are generous, speed is measured by the benchmark.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    fileParallelism: true,
    maxWorkers: 2,
  },
});
