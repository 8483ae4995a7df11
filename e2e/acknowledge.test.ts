import { expect, test } from "vitest";
import { callApi, owner } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { startMailing } from "./harness/mailing.ts";

test("a message is acknowledged by its link, signed out, with a click and not by opening it", async () => {
  const { page, mail } = await startMailing();
  const channel = { name: "On call", type: "email", config: { address: owner.email } };
  await callApi(page, "POST", "/api/notifications/channels", channel);
  const domain = {
    url: "http://127.0.0.1:9/",
    name: "Shop",
    checkInterval: 10,
    timeout: 5,
    confirmations: 1,
  };
  await callApi(page, "POST", "/api/domains", domain);
  await expect.poll(() => mail.mails.length, { timeout: 60_000 }).toBe(1);
  const [link = ""] = /https?:\S+\/acknowledge#\S+/.exec(mail.mails[0]?.text ?? "") ?? [];
  await callApi(page, "POST", "/api/auth/sign-out");

  await page.goto(link);
  await page.getByRole("heading", { name: "Shop is down" }).waitFor();
  expect(await faultsInEveryLook(page, "acknowledge")).toEqual([]);
  await page.reload();
  await page.getByRole("button", { name: "Acknowledge", exact: true }).press("Enter");
  await page.getByText("Acknowledged. Everyone can see that it is being taken care of.").waitFor();
  await page.reload();
  await page.getByText(/^Acknowledged by On call, /).waitFor();

  const { email, password } = owner;
  await callApi(page, "POST", "/api/auth/sign-in", { email, password });
  // The message is in English, the browser, too, and its reader's account in German.
  await callApi(page, "PATCH", "/api/auth/me", { language: "de" });
  await page.evaluate("localStorage.clear()");
  await page.goto("about:blank");
  await page.goto(link);
  await page.getByRole("heading", { name: "Shop ist ausgefallen" }).waitFor();
  await page.getByText(/^Seit .* von On call quittiert\.$/).waitFor();
  expect(await faultsInEveryLook(page, "acknowledge-de")).toEqual([]);
  await callApi(page, "PATCH", "/api/auth/me", { language: "en" });
  await page.reload();
  await page.getByRole("link", { name: "Open the incident", exact: true }).click();
  await page.getByRole("heading", { name: "Shop is down", level: 1 }).waitFor();
  await page.getByText("On call").first().waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/incidents\/\d+$/);
}, 240_000);
