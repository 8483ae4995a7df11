import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { body } from "../server/test/harness/behaviours.ts";
import { eventually } from "../server/test/harness/eventually.ts";
import { startHttpTarget, type Target } from "../server/test/harness/targets.ts";
import { openPage } from "./harness/browser.ts";
import { callApi, owner, shareInstallation, startInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

/** The text that describes a box to those who cannot see it. */
async function descriptionOf(page: Page, label: string): Promise<string | null> {
  const id = await page.getByLabel(label, { exact: true }).getAttribute("aria-describedby");
  return id === null ? null : page.locator(`[id="${id}"]`).textContent();
}

/** The name of what has the focus; empty when nothing has. */
const focusedName = (page: Page): Promise<string> =>
  page.evaluate<string>(
    "document.activeElement === document.body ? '' : (document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent).trim()",
  );

describe("forms", () => {
  test("the set-up form shows what the API says of each field at that field, and puts the cursor there", async () => {
    const server = await startInstallation();
    const page = await openPage(server.url);
    await page.goto("/set-up");
    await page.getByLabel("Your name").fill(owner.name);
    await page.getByLabel("E-mail").fill("not an address");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Create account and start" }).click();

    await page.getByRole("alert").first().waitFor();
    expect(await page.getByLabel("E-mail").getAttribute("aria-invalid")).toBe("true");
    expect(await descriptionOf(page, "E-mail")).toMatch(/e-?mail/i);
    expect(await page.getByLabel("Password", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    // What is wrong, and still how it is done right.
    expect(await page.getByRole("alert").filter({ hasText: "characters" }).count()).toBe(1);
    expect(await descriptionOf(page, "Password")).toMatch(/characters.*easier to remember/);
    expect(await page.getByLabel("Your name").getAttribute("aria-invalid")).toBeNull();
    expect(await focusedName(page)).toBe("E-mail");
  });

  test("a URL that cannot be watched is refused at its box, and typing takes the message away", async () => {
    const page = await app.open();
    await page.goto("/domains");
    await page.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
    const box = page.getByLabel("URL to watch");
    await box.fill("ftp://files.northwind.test");
    await box.press("Enter");

    await page.getByRole("alert").waitFor();
    expect(await box.getAttribute("aria-invalid")).toBe("true");
    expect(await descriptionOf(page, "URL to watch")).toMatch(/url/i);
    expect(await box.inputValue()).toBe("ftp://files.northwind.test");
    await box.press("End");
    await box.pressSequentially("x");
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("everything works with the keyboard alone: set up, add, pause, filter, delete, sign out", async () => {
    const target = await startHttpTarget();
    onTestFinished(() => target.close());
    const server = await startInstallation();
    const page = await openPage(server.url);
    const { keyboard } = page;
    const tabTo = async (name: string | RegExp) => {
      for (let presses = 0; presses < 40; presses += 1) {
        if ((await focusedName(page)).match(name)) return;
        await keyboard.press("Tab");
      }
      throw new Error(`Tab never reaches ${name}`);
    };
    // A menu moves the focus a moment after the key; people do not type faster than that, but a test does.
    const focused = (name: string) =>
      eventually(
        () => focusedName(page),
        (found) => found === name,
      );

    await page.goto("/");
    // The form comes after the page has loaded, and keys pressed before that lead nowhere.
    await page.getByLabel("Your name").waitFor();
    await tabTo(/^Your name/);
    for (const value of [owner.name, owner.email, owner.password]) {
      await keyboard.type(value);
      await keyboard.press("Tab");
    }
    await tabTo(/^Create account/);
    await keyboard.press("Enter");

    await page.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
    await tabTo("URL to watch");
    await keyboard.type(target.url);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Everything is up" }).waitFor();
    await tabTo(/^Domains/);
    await keyboard.press("Enter");
    await page.locator("[role=row][data-status=up]").waitFor();

    await tabTo(/^Actions for/);
    await keyboard.press("Enter");
    for (const item of ["Check now", "Edit", "Mute for 1 hour"]) {
      await focused(item);
      await keyboard.press("ArrowDown");
    }
    await focused("Pause checks");
    await keyboard.press("Enter");
    await page.locator("[role=row][data-status=paused]").waitFor();

    await keyboard.press("/");
    await keyboard.type("no such name");
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
    await keyboard.press("Escape");
    await page.locator("[role=row][data-status=paused]").waitFor();

    await tabTo(/^Actions for/);
    await keyboard.press("Enter");
    await focused("Edit");
    await keyboard.press("End");
    await focused("Delete…");
    await keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await keyboard.press("Escape");
    await eventually(
      () => focusedName(page),
      (name) => name.startsWith("Actions for"),
    );
    await keyboard.press("Enter");
    await focused("Edit");
    await keyboard.press("End");
    await focused("Delete…");
    await keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await tabTo(/^Delete$/);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "What should Vedette watch?" }).waitFor();
    expect(await callApi(page, "GET", "/api/domains")).toEqual([]);
    await eventually(
      () => focusedName(page),
      (name) => name !== "",
    );

    await tabTo(/Account: [^.]*$/);
    await keyboard.press("Enter");
    await focused("Keyboard shortcuts");
    await keyboard.press("End");
    await focused("Sign out");
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });
});

/** A section of a domain's form, opened. */
async function openSection(page: Page, name: string): Promise<void> {
  const heading = page.getByRole("button", { name: new RegExp(`^${name}`), expanded: false });
  if ((await heading.count()) > 0) await heading.click();
}

/** An item of the list of conditions: "2. JSON value". */
const condition = (page: Page, name: string) => page.getByRole("group", { name, exact: true });

async function target(): Promise<Target> {
  const started = await startHttpTarget();
  onTestFinished(() => started.close());
  return started;
}

/** Fills in a new domain, every setting otherwise than is usual. */
async function fillEverything(page: Page, url: string): Promise<void> {
  const type = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value);
  const choose = (label: string, value: string) =>
    page.getByLabel(label, { exact: true }).selectOption({ label: value });
  await type("URL", url);
  await type("Name", "Checkout");
  await type("Check interval", "30");
  await openSection(page, "Schedule");
  await type("Timeout", "5");
  await openSection(page, "Request");
  await choose("Method", "POST");
  for (const [at, name, value] of [
    [1, "X-Api-Key", "k3y"],
    [2, "Accept", "application/json"],
  ] as const) {
    await page.getByRole("button", { name: "Add header" }).click();
    await type(`Request headers ${at}: name`, name);
    await type(`Request headers ${at}: value`, value);
  }
  await type("Request body", '{"ping":true}');
  await choose("Authentication", "User name and password");
  await type("User name", "probe");
  await type("Password", "hunter2");
  await page.getByLabel("This is an API").check();
  expect(await page.getByLabel("Follow redirects").isChecked()).toBe(false);
  await page.getByLabel("Follow redirects").check();
  await openSection(page, "What counts as up");
  await page.getByRole("button", { name: "Status code" }).click();
  await condition(page, "1. Status code").getByLabel("Expected").fill("200-299,418");
  await page.getByRole("button", { name: "Text in the answer" }).click();
  await condition(page, "2. Text in the answer").getByLabel("The text must be").selectOption("absent");
  await condition(page, "2. Text in the answer").getByLabel("Text", { exact: true }).fill("Fatal");
  await page.getByRole("button", { name: "Response time" }).click();
  // A new condition takes the focus a frame later: what is typed before that is not typed into its box.
  await condition(page, "3. Response time").locator("input:focus").waitFor();
  await condition(page, "3. Response time").getByLabel("Down above").fill("4000");
  await type("Bytes to read", "4096");
  await openSection(page, "Certificate");
  await type("Warn before it expires", "30");
  await page.getByLabel("Accept an invalid certificate").check();
  await openSection(page, "Locations");
  await page.getByLabel("Only these").check();
  await openSection(page, "When it counts as down");
  await type("Failures until down", "3");
  await type("Successes until up again", "4");
  await choose("Severity", "Critical");
  await openSection(page, "Tags");
  await type("Tags", "shop, eu,");
  await page.getByLabel("Tags", { exact: true }).pressSequentially("api");
}

const everything = {
  name: "Checkout",
  checkInterval: 30,
  timeout: 5,
  enabled: true,
  method: "POST",
  headers: { "X-Api-Key": "********", Accept: "application/json" },
  body: '{"ping":true}',
  authType: "basic",
  isApi: true,
  followRedirects: true,
  assertions: [
    { type: "status", codes: "200-299,418" },
    { type: "keyword", operator: "absent", value: "Fatal" },
    { type: "response_time", downAboveMs: 4000 },
  ],
  bodyBytes: 4096,
  ignoreCertificate: true,
  certificateExpiryDays: 30,
  locations: ["local"],
  confirmations: 3,
  recoveries: 4,
  severity: "critical",
  tags: ["shop", "eu", "api"],
};

describe("the form of a domain", () => {
  test("saves every setting, shows it again without its secrets, and changes only what was changed", async () => {
    const shop = await target();
    const page = await app.open();
    await page.goto("/domains/new");
    await fillEverything(page, shop.url);
    await page.getByRole("button", { name: "Start watching" }).click();
    await page.getByRole("heading", { name: "Checkout" }).waitFor();
    const id = Number(new URL(page.url()).pathname.split("/").at(-1));
    expect(await callApi(page, "GET", `/api/domains/${id}`)).toMatchObject(everything);

    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByRole("heading", { name: "Edit Checkout" }).waitFor();
    for (const secret of ["Password", "User name", "Request headers 1: value"]) {
      const box = page.getByLabel(secret, { exact: true });
      expect([secret, await box.inputValue(), await box.getAttribute("placeholder")]).toEqual([
        ...[secret, "", "Unchanged"],
      ]);
    }
    expect(await page.content()).not.toContain("hunter2");
    expect(await page.getByLabel("Request headers 2: value").inputValue()).toBe("application/json");
    await page.getByLabel("Request headers 2: value").fill("text/html");
    await page.getByLabel("Severity").selectOption("low");
    const sent = page.waitForRequest((request) => request.method() === "PUT");
    await page.getByRole("button", { name: "Save" }).click();
    expect((await sent).postDataJSON()).toEqual({
      headers: { "X-Api-Key": "********", Accept: "text/html" },
      severity: "low",
    });
    await page.getByText("Checkout was saved.").waitFor();
    const checked = await eventually(
      () => shop.requests.find(({ headers }) => headers["accept"] === "text/html"),
      Boolean,
      45_000,
    );
    expect(checked?.headers).toMatchObject({
      "x-api-key": "k3y",
      authorization: `Basic ${Buffer.from("probe:hunter2").toString("base64")}`,
    });
  }, 240_000);

  test("requires stored credentials again when the address leads to another server", async () => {
    const page = await app.open();
    const [old, moved] = [await target(), await target()];
    await page.goto("/domains");
    const { id } = await callApi<{ id: number }>(page, "POST", "/api/domains", {
      url: old.url,
      name: "Vault",
      enabled: false,
      authType: "basic",
      authConfig: { username: "probe", password: "hunter2" },
      headers: { "X-Api-Key": "k3y", "X-Team": "red" },
    });
    await page.goto(`/domains/${id}/edit`);
    const save = page.getByRole("button", { name: "Save" });
    const url = page.getByLabel("URL", { exact: true });
    const boxes = ["Request headers 1: value", "User name", "Password"];
    const placeholders = () =>
      Promise.all(boxes.map((label) => page.getByLabel(label, { exact: true }).getAttribute("placeholder")));
    await url.fill(`${old.url}other/page`);
    expect(await placeholders()).toEqual(["Unchanged", "Unchanged", "Unchanged"]);
    await url.fill(moved.url);
    expect(await placeholders()).toEqual(["Value", null, null]);
    const warning = "This is a different server. Stored secrets are not sent there: enter them again.";
    for (const label of ["URL", "Password"]) expect(await descriptionOf(page, label)).toContain(warning);

    await save.click();
    await page.getByText("3 fields need your attention.").waitFor();
    expect(await descriptionOf(page, "Password")).toBe(`Enter this value again.${warning}`);
    await url.fill(old.url);
    expect(await placeholders()).toEqual(["Unchanged", "Unchanged", "Unchanged"]);
    expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
    expect(await page.getByText(warning).count()).toBe(0);
    await url.fill(moved.url);
    await save.click();
    for (const label of boxes) {
      expect(await page.getByLabel(label, { exact: true }).getAttribute("aria-invalid")).toBe("true");
    }
    expect(await focusedName(page)).toBe("Request headers 1: value");
    expect(await faultsInEveryLook(page, "domain-form-credentials", true)).toEqual([]);
    for (const label of boxes) await page.getByLabel(label, { exact: true }).fill("n3w");
    const sent = page.waitForRequest((request) => request.method() === "PUT");
    await save.click();
    expect((await sent).postDataJSON()).toEqual({
      url: moved.url,
      headers: { "X-Api-Key": "n3w", "X-Team": "red" },
      authConfig: { username: "n3w", password: "n3w" },
    });
    await page.getByText("Vault was saved.").waitFor();
  });

  test("says at its very field what the API or its schema refuses, nested ones too, and loses nothing", async () => {
    const page = await app.open();
    await page.goto("/domains/new?url=ftp%3A%2F%2Ffiles.northwind.test");
    await page.getByLabel("Check interval").fill("5");
    await openSection(page, "What counts as up");
    await page.getByRole("button", { name: "Status code" }).click();
    await condition(page, "1. Status code").getByLabel("Expected").fill("200");
    await page.getByRole("button", { name: "JSON value" }).click();
    const json = condition(page, "2. JSON value");
    await json.getByLabel("Path").fill("$.depth");
    await json.getByLabel("Must").selectOption({ label: "be at least" });
    await json.getByLabel("Value", { exact: true }).fill("many");
    await page.getByRole("button", { name: /^What counts/ }).click();
    await openSection(page, "Request");
    await page.getByLabel("Authentication").selectOption("bearer");
    const save = page.getByRole("button", { name: "Start watching" });

    await save.click();
    await page.getByText("One field needs your attention.").waitFor();
    expect(await descriptionOf(page, "Check interval")).toMatch(/^At least 10\..*allows 10 seconds/);
    expect(await focusedName(page)).toBe("Check interval");
    await page.getByLabel("Check interval").fill("30");
    expect(await page.getByRole("alert").count()).toBe(1);

    await save.click();
    await eventually(
      () => descriptionOf(page, "URL"),
      (text) => /must start with http/.test(text ?? ""),
    );
    expect(await focusedName(page)).toBe("URL");
    await page.getByLabel("URL", { exact: true }).fill("127.0.0.1:9");

    await save.click();
    await page.getByText("2 fields need your attention.").waitFor();
    expect(await descriptionOf(page, "Token")).toMatch(/This kind of authentication needs it/);
    expect(await json.getByLabel("Value", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    await json.getByText("This comparison needs a number.").waitFor();
    expect(await condition(page, "1. Status code").getByRole("alert").count()).toBe(0);
    expect(await focusedName(page)).toBe("Token");
    expect(await faultsInEveryLook(page, "domain-form-errors", true)).toEqual([]);

    await page.route("**/api/domains", (route) => route.abort());
    await save.click();
    await page.getByText("Vedette cannot be reached.").waitFor();
    expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe("127.0.0.1:9");
    expect(await json.getByLabel("Value", { exact: true }).inputValue()).toBe("many");
    await page.unrouteAll();
    await page.getByLabel("Token", { exact: true }).fill("t0ken");
    await json.getByLabel("Value: kind").selectOption("number");
    await json.getByLabel("Value", { exact: true }).fill("3");
    await save.click();
    await page.getByRole("heading", { name: "127.0.0.1:9" }).waitFor();
  });

  test("confirms before unsaved changes are left, and lets go once they are saved or dropped", async () => {
    const page = await app.open();
    await page.goto("/domains");
    const { id } = await callApi<{ id: number }>(page, "POST", "/api/domains", {
      url: "http://127.0.0.1:9",
      name: "Archive",
      enabled: false,
    });
    await page.goto(`/domains/${id}/edit`);
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Library");
    await page.getByRole("link", { name: "Cancel" }).click();
    const dialog = page.getByRole("dialog", { name: "Discard your changes?" });
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("Library");
    const prompt = page.waitForEvent("dialog");
    await page.evaluate("setTimeout(() => location.reload())");
    expect((await prompt).type()).toBe("beforeunload");
    await (await prompt).dismiss();
    expect(await name.inputValue()).toBe("Library");
    await page.getByRole("link", { name: "Domains", exact: true }).first().click();
    await dialog.getByRole("button", { name: "Discard" }).click();
    await name.waitFor({ state: "detached" });

    await page.goto(`/domains/${id}/edit`);
    await name.fill("Museum");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Museum" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/domains/${id}`);
  });

  test("begins at the URL, names the page, offers usual intervals, and tries a domain before it is saved", async () => {
    const bakery = body("<title>Corner bakery</title>", { "content-type": "text/html" });
    const target = await startHttpTarget({ handler: bakery });
    onTestFinished(() => target.close());
    const page = await app.open();
    await page.goto("/domains/new");
    const url = page.getByLabel("URL", { exact: true });
    await eventually(
      () => focusedName(page),
      (name) => name === "URL",
    );
    await url.fill(target.url);
    await page.getByRole("button", { name: "Use “Corner bakery” as the name" }).click();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Corner bakery");
    await page.getByRole("button", { name: "30 seconds" }).click();
    expect(await page.getByLabel("Check interval").inputValue()).toBe("30");

    await page.getByRole("button", { name: "Test now" }).click();
    await page.getByText(/^Passed · 200 · /).waitFor();
    await url.fill("http://127.0.0.1:1/");
    expect(await page.getByText(/^Passed/).count()).toBe(0);
    await page.getByRole("button", { name: "Test now" }).click();
    await page.getByText("127.0.0.1:1 refused the connection.").waitFor();
    await url.fill("ftp://127.0.0.1/");
    await page.getByRole("button", { name: "Test now" }).click();
    await page.getByText(/must start with http/).waitFor();
    expect(await callApi<unknown[]>(page, "GET", "/api/domains?search=bakery")).toEqual([]);
  });

  test("is filled in and sent with the keyboard alone", async () => {
    const page = await app.open();
    const { keyboard } = page;
    const tabTo = async (name: string | RegExp) => {
      for (let presses = 0; presses < 60; presses += 1) {
        if ((await focusedName(page)).match(name)) return;
        await keyboard.press("Tab");
      }
      throw new Error(`Tab never reaches ${name}`);
    };
    await page.goto("/domains/new");
    await page.getByLabel("URL", { exact: true }).waitFor();
    await tabTo(/^URL$/);
    await keyboard.type("http://127.0.0.1:9");
    await tabTo(/^What counts as up/);
    await keyboard.press("Enter");
    await tabTo(/^Text in the answer/);
    await keyboard.press("Enter");
    await eventually(
      () => focusedName(page),
      (found) => found === "The text must be",
    );
    await keyboard.press("Tab");
    await keyboard.type("Welcome");
    await tabTo(/^Tags/);
    await keyboard.press("Space");
    await keyboard.press("Tab");
    await keyboard.type("one,two");
    await keyboard.press("Enter");
    await keyboard.press("Backspace");
    await tabTo(/^Start watching/);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "127.0.0.1:9" }).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1);
    expect(await callApi(page, "GET", `/api/domains/${id}`)).toMatchObject({
      assertions: [{ type: "keyword", operator: "present", value: "Welcome" }],
      tags: ["one"],
    });
  });

  test("is accessible and fits in both themes and on a phone, empty and with everything open", async () => {
    const page = await app.open();
    await page.goto("/domains/new");
    await page.getByLabel("URL", { exact: true }).waitFor();
    expect(await faultsInEveryLook(page, "domain-form-new")).toEqual([]);
    await fillEverything(page, "https://shop.northwind.test/checkout");
    await page.getByRole("button", { name: "JSON value" }).click();
    await page.getByRole("button", { name: "Response header" }).click();
    expect(await faultsInEveryLook(page, "domain-form-everything", true)).toEqual([]);
  });
});
