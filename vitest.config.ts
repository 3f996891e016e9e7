import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['test/support/property-seed.ts'],
          include: [
            'control/*/src/**/*.test.ts',
            'mappings/src/**/*.test.ts',
            'instrumentation/*/src/**/*.test.ts',
            'collector/src/**/*.test.ts',
          ],
        },
      },
      { test: { name: 'viewer', environment: 'happy-dom', include: ['viewer/src/**/*.test.{ts,tsx}'] } },
      {
        test: {
          name: 'e2e',
          include: ['test/{e2e,conformance,interop,faults,fuzz}/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
