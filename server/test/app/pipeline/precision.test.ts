import { expect, it } from "vitest";
import { listResults } from "../../../src/engine/queries/results.ts";
import { eachEngine } from "../../harness/stores.ts";
import { pipelineOn, probed, T0 } from "./setup.ts";

eachEngine("durations", (engine) => {
  it("are rounded before anything is derived from them, so that history, state, sums and events agree", async () => {
    const pipeline = await pipelineOn(engine);
    const id = await pipeline.addMonitor();
    const phases = {
      dnsUs: 511,
      connectUs: 20_026,
      tlsUs: null,
      firstByteUs: 87_432,
      transferUs: 1_120_333,
      totalUs: 1_234_567,
    };
    await pipeline.ingest(probed(id, T0, { phases }));
    const { db } = pipeline;
    const stored = {
      dnsUs: 511,
      connectUs: 20_050,
      tlsUs: null,
      firstByteUs: 87_400,
      transferUs: 1_120_000,
      totalUs: 1_234_000,
    };
    expect(await listResults(db, { monitorId: id, from: 0, to: T0 + 1, limit: 9 })).toMatchObject([stored]);
    expect(await pipeline.state(id)).toMatchObject({ last_total_us: 1_234_000 });
    const sums = await db.selectFrom("rollups").select(["sum_us", "max_us"]).distinct().execute();
    expect(sums).toEqual([{ sum_us: 1_234_000, max_us: 1_234_000 }]);
    const events = await db.selectFrom("events").select("payload").where("type", "=", "results").execute();
    expect(events.map(({ payload }) => payload)).toEqual([expect.stringContaining("1234")]);
    expect(events[0]?.payload).not.toContain("1234.567");
  });
});
