import dgram from "node:dgram";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { redirect, respond } from "../server/test/harness/behaviours.ts";
import { type DnsTarget, startDnsTarget } from "../server/test/harness/dns-target.ts";
import { type RdapTarget, registered, startRdapTarget } from "../server/test/harness/rdap-target.ts";
import { startHttpTarget, startTlsTarget } from "../server/test/harness/targets.ts";
import { shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

let dns: DnsTarget;
let registry: RdapTarget;
const app = shareInstallation(async () => {
  dns = await startDnsTarget({
    "shop.test": { a: ["127.0.0.1", "192.0.2.17"], txt: ["v=spf1 -all"], ttlSeconds: 300 },
    "broken.test": { behaviour: "servfail" },
    "partly.test": { a: ["192.0.2.17"], behaviour: { MX: "servfail" } },
    "turned.test": { txt: ["safe \u202egnp.exe"] },
  });
  registry = await startRdapTarget({ "/domain/shop.com": registered("shop.com") });
  return { VEDETTE_RESOLVERS: dns.server, VEDETTE_RDAP_BOOTSTRAP: registry.lists };
});

/** The first run of a tool starts a thread. */
const longTimeout = { timeout: 40_000 };

const resultOf = (page: Page) => page.getByRole("region", { name: "Result" });

async function openTool(tool: string, given: Record<string, string> = {}): Promise<Page> {
  const page = await app.open();
  await goToTool(page, tool, given);
  return page;
}

/** A link fills the form in; a click starts the tool. */
async function goToTool(page: Page, tool: string, given: Record<string, string>): Promise<void> {
  await page.goto(`/toolbox?${new URLSearchParams({ tool, ...given })}`);
}

const start = (page: Page, button: string) => page.getByRole("button", { name: button, exact: true }).click();

test("names are looked up, the address holds the input, and a wrong name is shown at its field", async () => {
  const page = await app.open();
  await page.goto("/");
  await page.getByRole("link", { name: "Toolbox" }).click();
  const name = page.getByLabel("Name or IP address");
  await name.fill("shop.test");
  await name.press("Enter");
  await resultOf(page).getByText("2 records").waitFor(longTimeout);
  await resultOf(page).getByText("192.0.2.17").waitFor();
  expect(await faultsInEveryLook(page, "toolbox-dns", true)).toEqual([]);
  expect(new URL(page.url()).search).toBe("?tool=dns-lookup&domain=shop.test");

  await page.getByLabel("Record type").selectOption("TXT");
  await page.getByRole("button", { name: "Look up" }).click();
  await resultOf(page).getByText("v=spf1 -all").waitFor(longTimeout);
  await page.reload();
  await page.getByRole("button", { name: "Look up" }).waitFor();
  expect(await page.getByLabel("Record type").inputValue()).toBe("TXT");
  await start(page, "Look up");
  await resultOf(page).getByText("v=spf1 -all").waitFor(longTimeout);

  await name.fill("turned.test");
  await name.press("Enter");
  await resultOf(page).getByText("safe \ufffdgnp.exe").waitFor(longTimeout);

  await page.getByLabel("Record type").selectOption("ANY");
  await name.fill("partly.test");
  await name.press("Enter");
  await resultOf(page).getByText("The name server gave no answer for MX").waitFor(longTimeout);
  expect(await faultsInEveryLook(page, "toolbox-partly", true)).toEqual([]);

  await name.fill("no name");
  await name.press("Enter");
  await page.getByText("The domain field must be a domain name").waitFor(longTimeout);
  expect(await name.getAttribute("aria-invalid")).toBe("true");
  await name.fill("broken.test");
  await name.press("Enter");
  await page.getByRole("alert").getByText("SERVFAIL").waitFor(longTimeout);
  expect(await faultsInEveryLook(page, "toolbox-failed", true)).toEqual([]);
});

test("a link fills the form in and starts nothing, whichever tool it is about", async () => {
  const site = await startHttpTarget({ handler: respond({}) });
  onTestFinished(() => site.close());
  const page = await openTool("http-inspection", { url: site.url });
  expect(await page.getByLabel("Address").inputValue()).toBe(site.url);
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/toolbox/")) requests.push(request.url());
  });
  await goToTool(page, "dns-lookup", { domain: "shop.test" });
  await page.getByRole("button", { name: "Look up" }).waitFor();
  await goToTool(page, "http-inspection", { url: site.url });
  await page.getByRole("button", { name: "Inspect" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect([requests, site.connections()]).toEqual([[], 0]);
  await start(page, "Inspect");
  await resultOf(page).getByText(`${site.url} answered with status 200`).waitFor(longTimeout);
});

test("a scan shows how far it is, and can be stopped", async () => {
  const open = net.createServer((socket) => socket.on("error", () => {}).write("SSH-2.0-Shop\r\n"));
  open.listen(0, "127.0.0.1");
  await once(open, "listening");
  onTestFinished(() => void open.close());
  const { port } = open.address() as AddressInfo;
  const ports = `1-20,${port}`;
  const page = await openTool("port-scanner", { target: "shop.test", scanType: "custom", ports });
  const scan = page.getByRole("button", { name: "Scan" });
  expect(await page.getByLabel("Ports to scan").inputValue()).toBe(ports);
  await scan.click();
  await resultOf(page).getByText("1 port is open").waitFor(longTimeout);
  await resultOf(page).getByText("SSH-2.0-Shop").waitFor();
  expect(await faultsInEveryLook(page, "toolbox-scan", true)).toEqual([]);

  // A port that says nothing over UDP takes all of its time.
  const silent = dgram.createSocket("udp4").bind(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  await page.getByLabel("Protocol").selectOption("udp");
  await page.getByLabel("Ports to scan").fill(String(silent.address().port));
  await page.getByLabel("Timeout per port (ms)").fill("10000");
  await scan.click();
  await page.getByRole("progressbar").waitFor(longTimeout);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("progressbar").waitFor({ state: "detached" });
});

test("another tool is chosen without losing one's place, and takes along the host that was looked at", async () => {
  const page = await openTool("dns-lookup");
  const name = page.getByLabel("Name or IP address");
  await name.fill("https://shop.test/cart");
  await name.press("Enter");
  await page.getByRole("status").getByText("Done. The result is below.").waitFor(longTimeout);
  expect(await name.inputValue()).toBe("shop.test");
  const tools = page.getByRole("navigation", { name: "Tools" });
  await tools.getByRole("link", { name: "TLS" }).press("Enter");
  await page.getByRole("form", { name: "TLS" }).waitFor();
  expect(await page.getByLabel("Host").inputValue()).toBe("shop.test");
  expect(await tools.locator(":focus").textContent()).toBe("TLS");
});

test("pings, ways and registrations are shown", async () => {
  const page = await openTool("ping", { target: "127.0.0.1", count: "2" });
  await start(page, "Ping");
  await resultOf(page).getByText("2 of 2 pings answered").waitFor(longTimeout);
  expect(await faultsInEveryLook(page, "toolbox-ping", true)).toEqual([]);
  await goToTool(page, "traceroute", { target: "127.0.0.1" });
  await start(page, "Trace");
  await resultOf(page).getByText("127.0.0.1 is 1 hop away.").waitFor(longTimeout);
  await goToTool(page, "rdap", { query: "shop.com" });
  await start(page, "Query");
  await resultOf(page).getByText("shop.com is registered.").waitFor(longTimeout);
  await resultOf(page).getByText("Shop Ltd.").waitFor();
  expect(await faultsInEveryLook(page, "toolbox-rdap", true)).toEqual([]);
  await goToTool(page, "ip-scanner", { ip: "8.8.8.8" });
  await start(page, "Locate");
  await resultOf(page).getByText("United States", { exact: true }).waitFor(longTimeout);
  await resultOf(page).getByRole("link", { name: "IP geolocation by DB-IP" }).waitFor();
  expect(await faultsInEveryLook(page, "toolbox-location", true)).toEqual([]);
});

test("a certificate that is not trusted is shown with what is wrong, and an answer with where its time went", async () => {
  const secure = await startTlsTarget({ certificate: "self-signed", names: ["shop.test"] });
  onTestFinished(() => secure.close());
  const page = await openTool("tls-inspection", { host: "shop.test", port: String(secure.port) });
  await start(page, "Inspect");
  await resultOf(page).getByText("Browsers do not trust shop.test.").waitFor(longTimeout);
  await resultOf(page).getByRole("list", { name: "Findings" }).getByText("self-signed").waitFor();
  expect(await faultsInEveryLook(page, "toolbox-tls", true)).toEqual([]);
  const site = await startHttpTarget({
    handler: (socket, request) =>
      (request.path === "/" ? redirect("/shop") : respond({ headers: { "x-powered-by": "PHP/5.3" } }))(
        socket,
        request,
      ),
  });
  onTestFinished(() => site.close());
  await goToTool(page, "http-inspection", { url: site.url });
  await start(page, "Inspect");
  await resultOf(page).getByText(`${site.url}shop answered with status 200`).waitFor(longTimeout);
  expect(
    await resultOf(page).getByRole("region", { name: "Where the time went" }).getByRole("listitem").count(),
  ).toBeGreaterThan(4);
  expect(await faultsInEveryLook(page, "toolbox-http", true)).toEqual([]);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy as JSON" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(JSON.parse(await page.evaluate<string>("navigator.clipboard.readText()"))).toMatchObject({
    statusCode: 200,
  });
});
