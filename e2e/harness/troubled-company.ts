import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { slow } from "../../server/test/harness/behaviours.ts";
import { testCa } from "../../server/test/harness/certificates.ts";
import { temporaryFolder } from "../../server/test/harness/process.ts";
import { startHttpTarget, startTlsTarget, type Target } from "../../server/test/harness/targets.ts";
import { openPage } from "./browser.ts";
import { callApi, signInAsOwner, startInstallation } from "./installation.ts";

/**
 * A company whose sites run on this machine and are really checked: one refuses connections, one is slower
 * than its limit, one has a certificate that ends in days, one is paused, the rest are well. `page` shows its
 * overview; `recover` lets one of them fail and come back, so that there is activity to show.
 */
export async function startTroubledCompany(): Promise<{ page: Page; recover(): Promise<void> }> {
  const trusted = temporaryFolder();
  onTestFinished(trusted.remove);
  const caFile = join(trusted.folder, "ca.pem");
  writeFileSync(caFile, (await testCa()).pem);
  const targets: Record<string, Target> = {
    "Checkout API": await startHttpTarget({ handler: slow(38) }),
    Search: await startHttpTarget({ handler: slow(260) }),
    Documentation: await startTlsTarget({ certificate: "expiring", handler: slow(24) }),
    "Customer portal": await startTlsTarget({ handler: slow(81) }),
    Images: await startHttpTarget({ handler: slow(6) }),
    "Partner feed": await startHttpTarget({ handler: slow(112) }),
    Shop: await startHttpTarget({ handler: slow(47) }),
    Staging: await startHttpTarget(),
  };
  onTestFinished(async () => {
    for (const target of Object.values(targets)) await target.close();
  });
  await targets["Checkout API"]?.refuse();
  const server = await startInstallation({ NODE_EXTRA_CA_CERTS: caFile });
  const page = await openPage(server.url);
  await signInAsOwner(page, server, "/");
  for (const [name, { url }] of Object.entries(targets)) {
    const limit = name === "Search" && { assertions: [{ type: "response_time", degradedAboveMs: 150 }] };
    await callApi(page, "POST", "/api/domains", { name, url, checkInterval: 10, timeout: 5, ...limit });
  }
  const [staging] = await callApi<{ id: number }[]>(page, "GET", "/api/domains?search=staging");
  await callApi(page, "PUT", `/api/domains/${staging?.id}`, { enabled: false });
  const recover = async () => {
    await targets["Partner feed"]?.refuse();
    await page.getByText("Partner feed went down").waitFor({ timeout: 45_000 });
    await targets["Partner feed"]?.listen();
  };
  return { page, recover };
}
