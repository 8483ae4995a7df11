import { defineConfig } from "vitest/config";
import { MixedOrder } from "./scripts/mixed-order.ts";
import { serverSchemas } from "./web/server-schemas.ts";

/** Whole servers through bad days, and whatever else waits for its time to come: more waiting than computing. */
const DRILLS = [
  "server/test/faults/**/*.test.ts",
  "server/test/monitors/devices/agent/end-to-end.test.ts",
  "server/test/app/story/**/*.test.ts",
  "server/test/app/command/{accounts,backup,file-modes,start}.test.ts",
  "server/test/app/engine/{engine,engines,listening,rechecks}.test.ts",
  "server/test/app/http/closing.test.ts",
  "server/test/engine/probe/local.test.ts",
  "server/test/monitors/heartbeats/heartbeats.test.ts",
  "server/test/reports/metrics/grafana.test.ts",
];

/** Tests that change what a module or the process holds, or that measure code: in a process which the others have not warmed up. */
const APART = [
  "server/test/checks/leaks.test.ts",
  "server/test/monitors/domains/settings-by-schema.test.ts",
  "server/test/app/http/closed-servers.test.ts",
  "server/test/alerts/mail/mail-tls.test.ts",
  "server/test/app/parsers/**/*.test.ts",
];

const serverTests = {
  globalSetup: ["server/test/harness/global.ts"],
  setupFiles: ["server/test/harness/cheap-passwords.ts"],
  // A machine that others keep busy is three times as slow.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    // One more at a time than the smallest machine has cores: a file waits for others now and then.
    maxWorkers: 3,
    sequence: { sequencer: MixedOrder },
    projects: [
      {
        test: {
          ...serverTests,
          name: "server",
          // A worker loads the server once, not once a file.
          isolate: false,
          include: ["server/test/**/*.test.ts", "agent/test/**/*.test.ts"],
          exclude: [...DRILLS, ...APART],
        },
      },
      {
        test: {
          ...serverTests,
          name: "apart",
          include: APART,
        },
      },
      {
        plugins: [serverSchemas],
        test: {
          name: "web",
          include: ["web/test/**/*.test.ts"],
        },
      },
      {
        test: {
          name: "house",
          include: ["scripts/test/**/*.test.ts", "bench/test/**/*.test.ts"],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          ...serverTests,
          name: "drills",
          // After everything else, mixed with the browser tests (MixedOrder). A drill waits for two thirds of its time.
          sequence: { groupOrder: 1 },
          maxWorkers: 3,
          include: DRILLS,
        },
      },
      {
        test: {
          name: "e2e",
          sequence: { groupOrder: 1 },
          maxWorkers: 3,
          include: ["e2e/**/*.test.ts"],
          globalSetup: ["server/test/harness/global.ts", "e2e/harness/unpack-browser.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // A page shows what it was told a moment later, and later than that on a busy machine.
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
});
