import { extractText, getDocumentProxy } from "unpdf";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TestServer } from "../harness/server.ts";
import { addMonitor, DAY, HOUR, NOW, reportServer } from "./world.ts";

const MINUTE = 60_000;
const HOSTILE = `</title><script>alert("x")</script><img src=x onerror=alert(1)>`;

/** A shop with an hour of outage in the day and an objective that it misses, and names that no document should trip over. */
async function startShop(): Promise<TestServer> {
  const server = await reportServer({ engine: "sqlite" });
  onTestFinished(() => server.close());
  await addMonitor(server, {
    name: "Shop",
    objective: { percent: 99.9, days: 30 },
    history: [
      [NOW - 3 * DAY, "up"],
      [NOW - 10 * HOUR, "down"],
      [NOW - 9 * HOUR, "up"],
    ],
    checks: Array.from({ length: 24 }, (_, hour) => [NOW - DAY + hour * HOUR + MINUTE, 100 + hour * 13.7]),
  });
  await addMonitor(server, { name: HOSTILE, history: [[NOW - 3 * DAY, "up"]] });
  await addMonitor(server, { name: "商店 \u202egnp.exe \u0000🛰", history: [[NOW - 3 * DAY, "up"]] });
  return server;
}

/** The answer as it came, byte by byte. */
async function fileFrom(server: TestServer, path: string): Promise<{ bytes: Uint8Array; headers: Headers }> {
  const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${server.key}` } });
  expect(answer.status).toBe(200);
  return { bytes: new Uint8Array(await answer.arrayBuffer()), headers: answer.headers };
}

/** What a reader of the PDF would copy, with one space between words. */
async function textOf(bytes: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
  return text.replaceAll(/\s+/g, " ");
}

describe("a report as PDF", () => {
  it.each(["en", "de", "zh"])("shortens no figure (%s)", async (language) => {
    const server = await reportServer({ engine: "sqlite" });
    onTestFinished(() => server.close());
    const down = (name: string, ms: number) =>
      addMonitor(server, {
        name,
        history: [
          [NOW - 20 * DAY, "up"],
          [NOW - 5 * DAY, "down"],
          [NOW - 5 * DAY + ms, "up"],
        ],
      });
    await down("Shop", 17 * HOUR + 51 * MINUTE);
    await down("Blog", 4 * DAY + 22 * HOUR + 44 * MINUTE);
    const path = `/api/reports/domains?range=30d&format=pdf&language=${language}`;
    const text = await textOf((await fileFrom(server, path)).bytes);
    expect(text).toContain("Shop");
    expect(text).not.toContain("…");
  });

  it("429: is made two at a time for an organization, and others find room", async () => {
    const server = await startShop();
    const other = await server.createKey({ plan: "expert", reports: true });
    const request = (key: string) => server.api("GET", "/api/reports/domains?format=pdf", undefined, { key });
    const requested = [...Array.from({ length: 12 }, () => request(server.key)), request(other)];
    const statuses = (await Promise.all(requested)).map(({ status }) => status);
    expect(statuses.at(-1)).toBe(200);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  it("has the numbers of the API, as people write them", async () => {
    const server = await startShop();
    const { data } = (await server.api("GET", "/api/reports/domains?range=24h")).body;
    const { bytes, headers } = await fileFrom(server, "/api/reports/domains?range=24h&format=pdf");
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-disposition")).toBe(
      'attachment; filename="domains-report-2026-11-01-2026-11-02.pdf"',
    );
    const text = await textOf(bytes);
    const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
    const percent = (value: number) => (Number.isInteger(value) ? `${value}%` : `${value}%`);
    const { total } = data;
    expect(total).toMatchObject({ downSeconds: 3600, outages: 1, totalChecks: 24 });
    for (const figure of [
      percent(total.uptimePercentage),
      ...[total.avgResponseTime, total.responseTimeP50, total.responseTimeP95, total.responseTimeP99].map(
        (ms) => `${numbers.format(ms)} ms`,
      ),
      ...["1 hr", "2 days 23 hr", "Checks 24", "Outages 1", "Failed checks 0"],
    ]) {
      expect(text).toContain(figure);
    }
    for (const item of data.items) expect(text).toContain(percent(item.uptimePercentage));
    expect(text).toContain("Shop");
    expect(text).toContain("Page 1 of");
  });

  it("has the error budgets of the API, and their burn rates, as the page for paper has", async () => {
    const server = await startShop();
    const { data } = (await server.api("GET", "/api/reports/domains?range=24h")).body;
    const shop = data.items.find(({ name }: { name: string }) => name === "Shop");
    // An hour of a day, where 86 seconds may be down.
    expect(shop).toMatchObject({ objective: 99.9, budget: { leftSeconds: -1008 }, burnRate: 41.67 });
    const row = [
      ...["Shop", `${shop.objective}% in ${shop.objectiveDays} days`, "43 min", "-16 min"],
      ...[`${shop.budget.leftPercentage}%`, `${shop.burnRate}×`],
    ];
    const pdf = await fileFrom(server, "/api/reports/domains?range=24h&format=pdf");
    const text = await textOf(pdf.bytes);
    expect(text).toContain("Error budgets");
    expect(text).toContain(row.join(" "));
    const html = await fileFrom(server, "/api/reports/domains?range=24h&format=html");
    const cells = [...new TextDecoder().decode(html.bytes).matchAll(/<td[^>]*>([^<]*)/g)].map(
      ([, cell]) => cell,
    );
    const at = cells.indexOf(row[1]) - 1;
    expect(cells.slice(at, at + row.length)).toEqual(row);
  });

  it("has no table of error budgets where there are none", async () => {
    const server = await startShop();
    const { bytes } = await fileFrom(server, "/api/reports/services?format=pdf");
    expect(await textOf(bytes)).not.toContain("Error budgets");
  });

  it.each([
    ["de", "Verfügbarkeit der Domains", "Vergleichen"],
    ["zh", "站点可用性", "故障时长"],
  ])("is in the language that was requested: %s", async (language, title) => {
    const server = await startShop();
    const query = `format=pdf&language=${language}&timeZone=Asia/Shanghai`;
    const text = await textOf(
      (await fileFrom(server, `/v2/reports/domains?${query.replace("timeZone", "time_zone")}`)).bytes,
    );
    expect(text.replaceAll(" ", "")).toContain(title.replaceAll(" ", ""));
  });

  it("prints hostile names as text, and turns no other text around", async () => {
    const server = await startShop();
    const text = await textOf((await fileFrom(server, "/api/reports/domains?format=pdf")).bytes);
    expect(text).toContain("</title><script>");
    expect(text).toContain("商店");
    expect(text).not.toContain("\u202e");
    expect(text).not.toContain("\u0000");
  });

  it("is made of reports on services, devices and incidents as well, also where there is nothing", async () => {
    const server = await startShop();
    for (const subject of ["services", "devices", "incidents"]) {
      const { bytes } = await fileFrom(server, `/api/reports/${subject}?format=pdf`);
      expect(await textOf(bytes)).toContain("Nothing happened in this time.");
    }
  });
});

describe("a report for paper", () => {
  it("has the numbers of the API, and runs nothing that is in a name", async () => {
    const server = await startShop();
    const { data } = (await server.api("GET", "/api/reports/domains?range=24h")).body;
    const { bytes, headers } = await fileFrom(server, "/api/reports/domains?range=24h&format=html");
    const page = new TextDecoder().decode(bytes);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-disposition")).toMatch(/^inline; /);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-modals",
    );
    expect(page).toContain(`${data.total.uptimePercentage}%`);
    expect(page).toContain("&lt;/title&gt;&lt;script&gt;");
    expect(page).not.toContain("<script");
    expect(page).not.toContain("<img");
    expect(page.match(/<svg /g)).toHaveLength(2);
  });

  it.each([
    ["language=fr", "language"],
    ["timeZone=Mars/Base", "timeZone"],
  ])("is refused with 422 for %s", async (query, field) => {
    const server = await startShop();
    const { status, body } = await server.api("GET", `/api/reports/domains?format=html&${query}`);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });
});
