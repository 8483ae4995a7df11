import { describe, expect, inject, it, onTestFinished } from "vitest";
import { createTestDatabase } from "../harness/stores.ts";
import { playInterrupted } from "./interrupted-outages.ts";

/** The same times in every run. */
const SEED = 20_261_123;

/** Fifty kills each: npm run drill -- messages. */
const CASES = [
  { name: "on SQLite", engine: "sqlite", servers: 1, kills: 4 },
  { name: "on PostgreSQL", engine: "postgres", servers: 1, kills: 2 },
  { name: "with two servers on one PostgreSQL", engine: "postgres", servers: 2, kills: 2 },
] as const;

describe("kill -9 between a check and the delivery of what it leads to", () => {
  for (const { name, engine, servers, kills } of CASES) {
    const isMissing = engine === "postgres" && "missing" in inject("postgres");
    it.skipIf(isMissing)(
      `loses no message, doubles no incident, and sends the beginning before the end, ${name}`,
      async () => {
        const { location, remove } = await createTestDatabase(engine);
        onTestFinished(remove);
        const databaseUrl = "url" in location ? location.url : null;
        const verdict = await playInterrupted({ kills, seed: SEED, servers, databaseUrl });
        expect(verdict).toMatchObject({ complaints: [], kills, incidents: 2 * kills });
      },
      180_000,
    );
  }
});
