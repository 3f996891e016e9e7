import { defineConfig } from 'vitest/config'

// A test that hangs still ends; one that is only slow, on a machine busy with other things, does not fail for it.
const POLLING = { expect: { poll: { timeout: 30_000 } } }
const PATIENCE = { testTimeout: 60_000, hookTimeout: 60_000, ...POLLING }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          ...PATIENCE,
          setupFiles: ['test/support/property-seed.ts', 'test/support/patience.ts'],
          include: [
            'control/*/src/**/*.test.ts',
            'mappings/src/**/*.test.ts',
            'instrumentation/*/src/**/*.test.ts',
            'collector/src/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'viewer',
          ...PATIENCE,
          environment: 'happy-dom',
          setupFiles: ['test/support/patience.ts'],
          include: ['viewer/src/**/*.test.{ts,tsx}'],
        },
      },
      {
        test: {
          name: 'e2e',
          ...POLLING,
          include: ['test/{e2e,conformance,interop,nodes,faults,fuzz,soak}/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          setupFiles: ['test/support/patience.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
