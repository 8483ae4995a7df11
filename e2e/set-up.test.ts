import { expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { openPage } from "./harness/browser.ts";
import { owner, startInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const reachable = { VEDETTE_TRUSTED_PROXIES: "loopback" };

test("where others could come first, set-up requires the token that the server printed, and its address fills it in", async () => {
  const server = await startInstallation(reachable);
  const link = await eventually(
    () => / at (\S+\/set-up#\S+) /.exec(server.output.stdout)?.[1] ?? "",
    (text) => text !== "",
  );
  const page = await openPage(server.url);
  await page.goto("/");
  const token = page.getByLabel("One-time token");
  await token.waitFor();
  expect(await token.inputValue()).toBe("");
  await page.getByLabel("Your name").fill(owner.name);
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Create account and start" }).click();
  await page.getByText("Enter the one-time token.").waitFor();
  await page.locator("input[name=setupToken]:focus").waitFor();
  await token.fill("WRONG");
  await page.getByRole("button", { name: "Create account and start" }).click();
  await page.getByText("This is not the one-time token that the server printed").waitFor();
  expect(await faultsInEveryLook(page, "set-up-token", true)).toEqual([]);

  const next = await openPage(server.url);
  await next.goto(link);
  await next.getByLabel("Your name").fill(owner.name);
  await next.getByLabel("E-mail").fill(owner.email);
  await next.getByLabel("Password", { exact: true }).fill(owner.password);
  await next.getByRole("button", { name: "Create account and start" }).click();
  await next.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
});
