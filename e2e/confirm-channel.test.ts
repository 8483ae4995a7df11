import { expect, test } from "vitest";
import { callApi, owner } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { nextLink, startMailing } from "./harness/mailing.ts";

const address = "oncall@elsewhere.test";

test("a channel waits until its recipient has confirmed, with a click and not by opening the link", async () => {
  const { page, mail } = await startMailing();
  await page.goto("/settings/channels/new");
  await page.getByLabel("Name", { exact: true }).fill("On call");
  await page.getByLabel("E-mail address").fill(address);
  await page.getByRole("button", { name: "Add channel" }).click();
  await page.getByText(`On call was added. It waits until ${address} is confirmed.`).waitFor();
  await page.getByRole("heading", { name: "On call" }).waitFor();
  await page.getByRole("status").getByText("Waiting for confirmation").waitFor();
  expect(await page.getByRole("button", { name: "Send test message" }).count()).toBe(0);
  await nextLink(mail);
  await page.getByRole("region", { name: "Log" }).getByText("delivered", { exact: true }).waitFor();
  expect(await faultsInEveryLook(page, "channels-unconfirmed", true)).toEqual([]);
  await page.getByRole("button", { name: "Send again", exact: true }).click();
  await page.getByText(`Another confirmation mail was sent to ${address}.`).waitFor();
  const link = await nextLink(mail);
  await page.goto("/settings/channels");
  await page
    .getByRole("row", { name: /On call/ })
    .getByText("Waiting for confirmation")
    .first()
    .waitFor();
  expect(await faultsInEveryLook(page, "channels-unconfirmed-list")).toEqual([]);
  await callApi(page, "POST", "/api/auth/sign-out");

  await page.goto(link);
  await page.getByRole("heading", { name: "May Vedette write to you?" }).waitFor();
  expect(await faultsInEveryLook(page, "confirm-channel")).toEqual([]);
  await page.reload();
  await page.getByRole("button", { name: "Confirm this address", exact: true }).press("Enter");
  await page.getByText("Confirmed. From now on you are notified at this address.").waitFor();
  await page.reload();
  await page.getByText("The address has been confirmed already.").waitFor();

  const { email, password } = owner;
  await callApi(page, "POST", "/api/auth/sign-in", { email, password });
  await page.goto("/settings/channels");
  await page.getByRole("link", { name: "On call", exact: true }).click();
  await page.getByRole("button", { name: "Send test message" }).click();
  await expect.poll(() => mail.mails.map(({ to }) => to), { timeout: 30_000 }).toEqual([[address]]);

  // The owner of the installation is known: no confirmation is requested.
  const own = { name: "Me", type: "email", config: { address: email } };
  const added = await callApi<{ confirmed: boolean }>(page, "POST", "/api/notifications/channels", own);
  expect(added.confirmed).toBe(true);
}, 240_000);
