import { describe, it } from "vitest";
import { frozen, surviveOutage, thawed } from "./postgres-outage.ts";

describe("while PostgreSQL is frozen and goes on", () => {
  it("checks go on, the API answers 503 with Retry-After, and everything arrives afterwards", async ({
    skip,
  }) => {
    const missing = await surviveOutage({ begin: frozen, end: thawed, checks: 1 });
    if (missing) skip(missing);
  }, 240_000);
});
