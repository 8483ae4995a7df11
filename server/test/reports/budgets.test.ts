import { expect, it, onTestFinished } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { addMonitor, DAY, HOUR, NOW, reportServer } from "./world.ts";

const MINUTE = 60_000;

eachEngine("reports, of error budgets,", (engine) => {
  it("say what was left when they ended, over the days of the objective, and nothing where there is none", async () => {
    const server = await reportServer({ engine });
    onTestFinished(() => server.close());
    const end = NOW - 5 * DAY;
    await addMonitor(server, {
      name: "Shop",
      objective: { percent: 99.9, days: 30 },
      history: [
        [end - 60 * DAY, "up"],
        // Before the report began, and within 30 days of its end.
        [end - 20 * DAY, "down"],
        [end - 20 * DAY + 10 * MINUTE, "up"],
        // In the report, and after it.
        [end - HOUR, "down"],
        [end - HOUR + 2 * MINUTE, "up"],
        [end + HOUR, "down"],
        [end + 2 * HOUR, "up"],
      ],
    });
    await addMonitor(server, { name: "Till", history: [[end - 60 * DAY, "up"]] });
    const query = new URLSearchParams({
      from: new Date(end - 7 * DAY).toISOString(),
      to: new Date(end).toISOString(),
    });
    const { status, body } = await server.api("GET", `/api/reports/domains?${query}`);
    expect(status).toBe(200);
    expect(body.data.items).toMatchObject([
      {
        ...{ name: "Shop", objective: 99.9, objectiveDays: 30, downSeconds: 120 },
        budget: { allowedSeconds: 2592, usedSeconds: 720, leftSeconds: 1872, leftPercentage: 72.22 },
        // 120 of the 604.8 seconds that may be down in these seven days.
        burnRate: 0.2,
      },
      { name: "Till", objective: null, objectiveDays: null, budget: null, burnRate: null },
    ]);
    const csv = await server.api("GET", `/v2/reports/domains?${query}&format=csv`);
    const [head = "", shop = "", till = ""] = (csv.body as string)
      .split(/\r?\n/)
      .map((line) => line.split(","));
    const cell = (row: string | string[], name: string) => row[head.indexOf(name)];
    expect(
      ["objective", "budget_left_seconds", "budget_left_percentage", "burn_rate"].map((name) =>
        cell(shop, name),
      ),
    ).toEqual(["99.9", "1872", "72.22", "0.2"]);
    expect(["objective", "budget_left_seconds"].map((name) => cell(till, name))).toEqual(["", ""]);
  });
});
