import { expect, onTestFinished, test } from "vitest";
import { respond } from "../server/test/harness/behaviours.ts";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { agentWith, listOf, metrics, processOf, system } from "./harness/agent.ts";
import { card } from "./harness/domain-scenes.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

const connectionTo = (remoteAddress: string, remotePort: number) => ({
  ...{ localAddress: "10.0.0.5", localPort: 51_234, remoteAddress, remotePort },
  ...{ protocol: "tcp", status: "established", processName: "miner" },
});
const application = (name: string, version: string) => ({
  ...{ name, version, publisher: null, installPath: null, size: null, isRunning: false },
});

test("an incident shows what the device behind it was doing when it began, in every language", async () => {
  const target = await startHttpTarget({ handler: respond({ status: 503 }) });
  onTestFinished(target.close);
  const page = await app.open();
  await page.goto("/incidents");
  await page.getByRole("heading", { name: "Incidents", exact: true }).waitFor();
  const { device, token } = await callApi<{ device: { id: number }; token: string }>(
    page,
    "POST",
    "/api/devices",
    { name: "db-1" },
  );
  const report = agentWith(app, token);
  const known = { connections: listOf([]), applications: listOf([application("postgresql-18", "18.1")]) };
  expect(await report({ at: Date.now() - 90_000, system, metrics, ...known })).toBe(200);
  const markup = "<img src=x onerror=alert(1)>";
  const busy = Array.from({ length: 9 }, (_, at) =>
    processOf(`worker-${at}`, { pid: at + 1, cpuPercent: 9 - at }),
  );
  const seen = await report({
    metrics: { ...metrics, "cpu.usage": 96, "cpu.load1": 12.25, "disk./.usage": 99 },
    processes: listOf([processOf("miner", { cpuPercent: 380, command: `/tmp/miner ${markup}` }), ...busy]),
    connections: listOf([connectionTo("203.0.113.9", 3333)]),
    applications: listOf([application("postgresql-18", "18.2"), application("miner", "6.0")]),
  });
  expect(seen).toBe(200);
  const made = await callApi<{ id: number; uuid: string }>(page, "POST", "/api/domains", {
    ...{ name: "Shop", url: target.url, checkInterval: 60 },
  });
  await callApi(page, "PUT", `/api/devices/${device.id}`, { linkedMonitors: [made.uuid] });

  await page.getByRole("link", { name: "Shop is down" }).click();
  const then = card(page, "What db-1 was doing");
  await then.getByText("96%").waitFor();
  await then.getByText("12.25").waitFor();
  await then.getByText("99%").waitFor();
  const miner = then.getByRole("row", { name: /miner.*380%/ }).first();
  await miner.getByText(`/tmp/miner ${markup}`).waitFor();
  expect(await then.locator("img").count()).toBe(0);
  await then.getByText("203.0.113.9:3333").first().waitFor();
  await then.getByRole("row", { name: /postgresql-18.*Updated.*18\.2/ }).waitFor();
  await then.getByRole("row", { name: /miner.*Installed.*6\.0/ }).waitFor();
  await then.getByText("worker-3", { exact: true }).waitFor();
  expect(await then.getByText("worker-8", { exact: true }).count()).toBe(0);
  expect(await faultsInEveryLook(page, "incident-devices", true)).toEqual([]);
  await then.getByRole("button", { name: "5 more" }).click();
  await then.getByText("worker-8", { exact: true }).waitFor();
  for (const [language, title, words] of [
    ["de", "Was db-1 gerade tat", ["Neue Verbindungen", "Aktualisiert"]],
    ["zh", "db-1 当时的状态", ["新增连接", "已更新"]],
  ] as const) {
    await page.addInitScript(`localStorage.setItem("vedette.language", "${language}")`);
    await page.reload();
    for (const word of words) await card(page, title).getByText(word, { exact: true }).first().waitFor();
    expect(await faultsInEveryLook(page, `incident-devices-${language}`, true)).toEqual([]);
  }
  await page.addInitScript(`localStorage.setItem("vedette.language", "en")`);
  await page.reload();
  await card(page, "What db-1 was doing").getByRole("link", { name: "Open the device" }).click();
  await page.getByRole("heading", { name: "db-1" }).waitFor();
  await callApi(page, "DELETE", `/api/domains/${made.id}`);
  await callApi(page, "DELETE", `/api/devices/${device.id}`);
}, 240_000);

test("an incident of what runs on no device says nothing of devices", async () => {
  const page = await app.open();
  await page.goto("/incidents");
  await page.getByRole("heading", { name: "Incidents", exact: true }).waitFor();
  const { id } = await callApi<{ id: number }>(page, "POST", "/api/incidents", { title: "Slow today" });
  await page.goto(`/incidents/${id}`);
  await card(page, "Timeline").waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.getByRole("heading", { name: /devices? (was|were) doing/ }).count()).toBe(0);
});
