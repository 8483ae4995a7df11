import { expect, test } from "vitest";
import { openPage } from "./harness/browser.ts";
import { callApi, owner, signInAsOwner, startInstallation } from "./harness/installation.ts";

const PASSWORD = "open sesame, please";

/** An installation with its owner signed in, and pages of theirs. */
async function start(...pages: object[]) {
  const server = await startInstallation();
  const page = await openPage(server.url);
  await signInAsOwner(page, server);
  for (const one of pages) await callApi(page, "POST", "/api/status-pages", one);
  return { server, page };
}

test("a page with a password requires it, says when it is wrong, and lets this browser in there alone", async () => {
  const { server } = await start(
    { name: "Inside", slug: "inside", password: PASSWORD },
    { name: "Within", slug: "within", password: PASSWORD },
  );
  const visitor = await openPage(server.url, { script: false });
  const password = visitor.getByLabel("Passwort");
  const answer = await visitor.goto("/status/inside/history?lang=de");
  expect(answer?.status()).toBe(401);
  await visitor.getByRole("heading", { name: "Diese Seite ist geschützt" }).waitFor();
  expect(await visitor.content()).not.toContain("Inside");
  await password.fill("two lamps in a window");
  await password.press("Enter");
  await visitor.getByRole("alert").getByText("Das Passwort stimmt nicht.").waitFor();
  expect(await password.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
  // As for who reloads it.
  expect((await visitor.goto(visitor.url()))?.status()).toBe(401);
  await password.fill(PASSWORD);
  await visitor.getByRole("button", { name: "Status anzeigen" }).click();
  await visitor.waitForURL("**/status/inside?lang=de");
  await visitor.getByRole("heading", { level: 1, name: "Inside" }).waitFor();
  expect(await visitor.locator("html").getAttribute("lang")).toBe("de");
  expect(await visitor.context().cookies()).toEqual([
    expect.objectContaining({
      ...{ name: "vedette_page_inside", path: "/status/inside", httpOnly: true, sameSite: "Lax" },
      ...{ domain: "127.0.0.1", secure: false },
    }),
  ]);
  expect((await visitor.goto("/status/inside/history"))?.status()).toBe(200);
  expect((await visitor.goto("/status/inside/unlock"))?.status()).toBe(404);
  await visitor.getByRole("link", { name: "Back to the current status" }).click();
  await visitor.getByRole("heading", { level: 1, name: "Inside" }).waitFor();
  expect((await visitor.goto("/status/within"))?.status()).toBe(401);
  await visitor.getByRole("heading", { name: "This page is protected" }).waitFor();
});

test("a page for members is there for who has signed in, and closed once they have signed out", async () => {
  const { server, page } = await start({ name: "Staff", slug: "staff", isPublic: false });
  const anonymous = await openPage(server.url);
  expect((await anonymous.goto("/status/staff"))?.status()).toBe(404);
  expect(await anonymous.title()).toBe("Page not found");
  const reader = await page.context().newPage();
  expect((await reader.goto("/status/staff"))?.status()).toBe(200);
  await reader.getByRole("heading", { level: 1, name: "Staff" }).waitFor();
  await reader.goto("about:blank");
  const [made] = await callApi<{ id: number }[]>(page, "GET", "/api/status-pages");
  await page.goto(`/status-pages/${made?.id}?part=subscribers`);
  await page.getByText("This page is for members only: no one can subscribe").waitFor();
  await page.goto(`/status-pages/${made?.id}?part=about`);
  await page.getByLabel("Address", { exact: true }).fill("staff-2");
  await page.getByText("The present address leads to the new one").waitFor();
  await page.getByLabel("Address", { exact: true }).fill("staff");
  await page.getByText("The present address leads to the new one").waitFor({ state: "detached" });
  await page.getByRole("button", { name: `Account: ${owner.name}` }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect((await page.goto("/status/staff"))?.status()).toBe(404);
  // Nor has the browser cached it.
  expect((await reader.goBack())?.status()).toBe(404);
});
