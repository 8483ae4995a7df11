import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Tests wait for processes and listeners more than they compute: as many at a time as the smallest machine has cores.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "server",
          include: ["server/test/**/*.test.ts", "agent/test/**/*.test.ts"],
          globalSetup: ["server/test/harness/global.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "web",
          include: ["web/test/**/*.test.ts"],
        },
      },
      {
        test: {
          name: "house",
          include: ["scripts/test/**/*.test.ts"],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "e2e",
          // A browser, a server and its workers fill two cores: one file at a time, after everything else.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          include: ["e2e/**/*.test.ts"],
          globalSetup: ["server/test/harness/global.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
