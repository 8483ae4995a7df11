import { describe, it } from "vitest";
import { started, stopped, surviveOutage } from "./postgres-outage.ts";

describe("while PostgreSQL is stopped for 30 s and comes back", () => {
  // Four checks of each site, ten seconds apart: at least 30 s.
  it("checks go on, the API answers 503 with Retry-After, and everything arrives afterwards", async ({
    skip,
  }) => {
    const missing = await surviveOutage({ begin: stopped, end: started, checks: 4 });
    if (missing) skip(missing);
  }, 240_000);
});
