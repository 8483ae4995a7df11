import { expect, onTestFinished, test } from "vitest";
import { respond, status } from "../server/test/harness/behaviours.ts";
import { eventually } from "../server/test/harness/eventually.ts";
import { startHttpTarget } from "../server/test/harness/targets.ts";
import { card, panel } from "./harness/domain-scenes.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

interface Read {
  id: number;
  state: string;
  suppressedBy: { name: string } | null;
}

test("what a domain depends on is chosen in its form, and said wherever it is down behind that", async () => {
  const targets = { Router: await startHttpTarget(), Shop: await startHttpTarget() };
  onTestFinished(() => Promise.all(Object.values(targets).map((target) => target.close())).then(() => {}));
  const page = await app.open();
  await page.goto("/");
  const settings = { checkInterval: 86_400, timeout: 5, confirmations: 1, recoveries: 1 };
  const made: Record<string, number> = {};
  for (const [name, { url }] of Object.entries(targets)) {
    const { id } = await callApi<Read>(page, "POST", "/api/domains", { ...settings, name, url });
    made[name] = id;
    await eventually(
      () => callApi<Read>(page, "GET", `/api/domains/${id}`),
      ({ state }) => state === "up",
    );
  }
  const shop = made["Shop"];
  const check = (name: string) => callApi(page, "POST", `/api/domains/${made[name]}/check`);

  await page.goto(`/domains/${shop}/edit`);
  const parents = page.getByRole("combobox", { name: "Depends on" });
  await parents.fill("shop");
  await page.getByText("Nothing matches “shop”.").waitFor();
  await parents.fill("rout");
  await page.getByRole("option", { name: "Router" }).click();
  await page.getByRole("button", { name: "Remove Router" }).waitFor();
  expect(await faultsInEveryLook(page, "parents-form", true)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await panel(page, "up").waitFor();

  for (const target of Object.values(targets)) target.set(status(503));
  await check("Router");
  await check("Shop");
  await eventually(
    () => callApi<Read>(page, "GET", `/api/domains/${shop}`),
    ({ suppressedBy }) => suppressedBy?.name === "Router",
  );
  await panel(page, "down")
    .getByText("which it depends on, is down as well. Messages about that list this one.")
    .waitFor();
  expect(await faultsInEveryLook(page, "parents-held", true)).toEqual([]);
  await page.goto("/domains");
  await page.getByText("Behind Router: listed with it").waitFor();
  expect(await faultsInEveryLook(page, "parents-list")).toEqual([]);

  await page.goto(`/domains/${shop}`);
  await panel(page, "down").getByRole("link", { name: "Router", exact: true }).click();
  await page.getByRole("heading", { name: "Router", level: 1 }).waitFor();
  await page.goto("/incidents");
  await page.getByRole("link", { name: "Router is down", exact: true }).click();
  const affected = card(page, "Affected");
  await affected
    .getByText("1 monitor behind it is down too. Messages about this incident list it.")
    .waitFor();
  await affected.getByRole("link", { name: "Shop", exact: true }).waitFor();
  expect(await faultsInEveryLook(page, "parents-incident", true)).toEqual([]);

  targets.Router.set(respond());
  await check("Router");
  await affected.getByText("1 monitor behind it").waitFor({ state: "detached" });
  await check("Shop");
  await page.goto("/incidents");
  await page.getByRole("link", { name: "Shop is down", exact: true }).waitFor();
}, 240_000);
