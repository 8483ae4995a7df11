import type { Locator, Page, Route } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { totpCode } from "../server/test/harness/totp.ts";
import { seriousViolations } from "./harness/accessibility.ts";
import { type Look, openPage } from "./harness/browser.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";
import { saveScreenshot, sidewaysOverflow } from "./harness/screenshots.ts";

const app = shareInstallation();
let person: { name: string; email: string; password: string };
let counter = 0;

/** Everybody sees their own profile: each test has a person of its own, in the lowest role. */
beforeEach(async () => {
  counter += 1;
  person = { name: "Jonas", email: `jonas${counter}@northwind.test`, password: "two lamps in a window" };
  const page = await app.open();
  await page.goto("/sign-in");
  const { organization } = await callApi<{ organization: { id: number } }>(page, "GET", "/api/auth/me");
  const body = { ...person, role: "viewer" };
  await callApi(page, "POST", `/api/organizations/${organization.id}/members`, body);
  await page.context().close();
});

/** A browser of its own in which the person is signed in. */
async function signIn(look?: Look, more: object = {}): Promise<Page> {
  const page = await openPage(app.url, look);
  await page.goto("/sign-in");
  const { email, password } = person;
  await callApi(page, "POST", "/api/auth/sign-in", { email, password, ...more });
  return page;
}

async function openProfile(look?: Look): Promise<Page> {
  const page = await signIn(look);
  await page.goto("/settings/profile");
  await thisDevice(page).waitFor();
  return page;
}

const thisDevice = (page: Page) => page.getByRole("rowheader", { name: "This device" });
const isFocused = (element: Locator) =>
  eventually(() => element.evaluate((box) => box === box.ownerDocument.activeElement), Boolean);
/** What of a box's text is selected. */
const selectedIn = (box: Locator) =>
  box.evaluate((input) => {
    const {
      value,
      selectionStart: from,
      selectionEnd: to,
    } = input as unknown as {
      value: string;
      selectionStart: number;
      selectionEnd: number;
    };
    return value.slice(from, to);
  });
const signedInAt = async (page: Page) => (await page.request.get(`${app.url}/api/auth/me`)).status();

describe("the settings", () => {
  test("are a list beside their pages, on a phone a list that opens them, for the owner and for a viewer", async () => {
    for (const [page, listed] of [
      [
        await app.open(),
        [
          "Profile",
          "Notifications",
          "Organization",
          "Channels",
          "Integrations",
          "API keys",
          "Assistants",
          "Audit log",
        ],
      ],
      [
        await signIn(),
        ["Profile", "Notifications", "Organization", "Channels", "Integrations", "API keys", "Assistants"],
      ],
    ] as const) {
      await page.goto("/");
      await page.locator("[data-sidebar]").getByRole("link", { name: "Settings", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
      const entries = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
      expect(await entries.allTextContents()).toEqual(listed);
      expect(await entries.first().getAttribute("aria-current")).toBe("page");

      await page.setViewportSize({ width: 390, height: 800 });
      expect(await entries.first().isVisible()).toBe(false);
      const breadcrumb = page.getByRole("navigation", { name: "Breadcrumb" });
      await breadcrumb.getByRole("link", { name: "Settings", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
      for (const theme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await saveScreenshot(page, `settings-list-${theme}-phone`);
        expect([await seriousViolations(page), await sidewaysOverflow(page)]).toEqual([[], 0]);
      }
      await entries.filter({ hasText: "API keys" }).click();
      await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
    }
  });
});

describe("the profile", () => {
  test("is accessible in both themes and fits a phone, with long names and its dialogs", async () => {
    const page = await signIn();
    await callApi(page, "PUT", "/api/auth/me", { name: "J".repeat(255) });
    await page.goto("/settings/profile");
    await thisDevice(page).waitFor();
    expect(await faultsInEveryLook(page, "profile", true)).toEqual([]);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Change password" }).click();
    await page.getByText("Enter your current password.").waitFor();
    expect(await faultsInEveryLook(page, "profile-password")).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill(person.password);
    await page.keyboard.press("Enter");
    await page.getByRole("img", { name: "QR code of the key below" }).waitFor();
    expect(await faultsInEveryLook(page, "profile-two-factor")).toEqual([]);
  });

  test("changes the name everywhere, refuses an endless one at its field, and confirms before what was typed is lost", async () => {
    const page = await openProfile();
    const box = page.getByLabel("Your name");
    const save = page.getByRole("button", { name: "Save" });
    for (const [typed, said] of [
      ["", "Enter a name."],
      ["a".repeat(256), "The name must not be longer than 255 characters."],
    ] as const) {
      await box.fill(typed);
      await save.click();
      await page.getByText(said).waitFor();
      await isFocused(box);
    }
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "API keys" }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await box.fill("  Jonas Berg ");
    await save.press("Enter");
    await page.getByText("Your name was saved.").waitFor();
    expect(await box.inputValue()).toBe("Jonas Berg");
    await page.getByRole("button", { name: "Account: Jonas Berg" }).waitFor();
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
  });

  test("changes the password, says what is wrong at its field, and signs out everywhere else", async () => {
    const page = await openProfile();
    const elsewhere = await signIn();
    const button = page.getByRole("button", { name: "Change password" }).first();
    await button.press("Enter");
    const dialog = page.getByRole("dialog");
    const present = dialog.getByLabel("Current password");
    const next = dialog.getByLabel("New password");
    await present.fill("two lamps in a cellar");
    await next.fill("three lamps in a window");
    await next.press("Enter");
    await dialog.getByText("The current password is wrong.").waitFor();
    await isFocused(present);
    await present.fill(person.password);
    await next.fill("short");
    await next.press("Enter");
    await dialog.getByText("The password needs at least 8 characters.").waitFor();
    await isFocused(next);
    expect(await signedInAt(elsewhere)).toBe(200);
    await next.fill("three lamps in a window");
    await next.press("Enter");
    await page.getByText("Your password was changed. You are signed out everywhere else.").waitFor();
    await isFocused(button);
    expect([await signedInAt(page), await signedInAt(elsewhere)]).toEqual([200, 401]);
    person.password = "three lamps in a window";
    await signIn();
  });
});

describe("two-factor sign-in", () => {
  test("is set up by QR code or key, confirmed by a code, and gives ten recovery codes once; they are renewed and it is turned off with the password", async () => {
    const page = await openProfile();
    await page.getByRole("button", { name: "Set up" }).press("Enter");
    const dialog = page.getByRole("dialog");
    const password = dialog.getByLabel("Password", { exact: true });
    await isFocused(password);
    await password.fill("two lamps in a cellar");
    await password.press("Enter");
    await dialog.getByText("The password is wrong.").waitFor();
    await eventually(
      () => selectedIn(password),
      (text) => text === "two lamps in a cellar",
    );
    await password.fill(person.password);
    await password.press("Enter");
    await dialog.getByRole("img", { name: "QR code of the key below" }).waitFor();
    const secret = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
    const code = dialog.getByLabel("Code from the app");
    await isFocused(code);
    // One that the app showed two minutes ago, sent with its sixth digit.
    const old = totpCode(secret, Date.now() - 120_000);
    await code.fill(old);
    await dialog.getByText("The code is wrong, or was used already.").waitFor();
    await isFocused(code);
    // Typing begins the next try.
    await eventually(
      () => selectedIn(code),
      (text) => text === old,
    );
    await code.fill(totpCode(secret, Date.now()));

    const listed = page.getByRole("list", { name: "Your recovery codes" }).getByRole("listitem");
    await listed.first().waitFor();
    const codes = await listed.allTextContents();
    expect(new Set(codes).size).toBe(10);
    expect(await faultsInEveryLook(page, "profile-recovery-codes")).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("vedette-recovery-codes.txt");
    const text = await (await file.createReadStream()).toArray();
    expect(Buffer.concat(text).toString()).toContain(codes.join("\n"));
    await dialog.getByRole("button", { name: "I have saved them" }).click();
    await page.getByText("10 recovery codes left.").waitFor();
    await isFocused(page.getByRole("button", { name: "Turn off" }));

    // Each of them signs in once.
    await signIn({}, { code: codes[0] });
    await expect(signIn({}, { code: codes[0] })).rejects.toThrow(/422/);
    await page.reload();
    await page.getByText("9 recovery codes left.").waitFor();

    await page.getByRole("button", { name: "New recovery codes" }).click();
    await dialog.getByLabel("Password", { exact: true }).fill("two lamps in a cellar");
    await dialog.getByRole("button", { name: "Make new codes" }).click();
    await dialog.getByText("The password is wrong.").waitFor();
    await dialog.getByLabel("Password", { exact: true }).fill(person.password);
    await dialog.getByRole("button", { name: "Make new codes" }).click();
    await listed.first().waitFor();
    expect(await listed.allTextContents()).not.toContain(codes[1]);
    await page.keyboard.press("Escape");
    await expect(signIn({}, { code: codes[1] })).rejects.toThrow(/422/);

    await page.getByRole("button", { name: "Turn off" }).click();
    await dialog.getByLabel("Password", { exact: true }).fill(person.password);
    await dialog.getByLabel("Password", { exact: true }).press("Enter");
    await page.getByText("Two-factor sign-in is off.").waitFor();
    await isFocused(page.getByRole("button", { name: "Set up" }));
    await signIn();
  }, 240_000);
});

describe("sessions", () => {
  test("keep the width of their names beside the settings' list on a tablet: address and time are below", async () => {
    const page = await openProfile({ width: 820 });
    await page.getByRole("columnheader", { name: "Address" }).waitFor({ state: "hidden" });
    await page
      .getByText(/^127\.0\.0\.1 · /)
      .filter({ visible: true })
      .first()
      .waitFor();
    const { width } = (await thisDevice(page).boundingBox()) ?? { width: 0 };
    expect(width).toBeGreaterThan(300);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("columnheader", { name: "Address" }).waitFor();
  });

  test("are listed with device and address, this one marked; one that has ended already is gone, and all others end at once", async () => {
    const page = await openProfile();
    const [first, second, third] = [await signIn(), await signIn(), await signIn()];
    await page.reload();
    const rows = page.getByRole("row").filter({ hasText: "Signed in on" });
    await eventually(
      () => rows.count(),
      (count) => count === 4,
    );
    await page.getByText("127.0.0.1").filter({ visible: true }).first().waitFor();
    await page.getByText("Chrome on Linux").first().waitFor();
    expect(await thisDevice(page).count()).toBe(1);

    const endFirst = page.getByRole("button", { name: "End the session of Chrome on Linux" }).first();
    await endFirst.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await signedInAt(third)).toBe(200);
    await endFirst.click();
    await dialog.getByRole("button", { name: "End session" }).click();
    await page.getByText("The session of Chrome on Linux has ended.").waitFor();
    await eventually(
      () => rows.count(),
      (count) => count === 3,
    );
    const statuses = async () => Promise.all([first, second, third].map(signedInAt));
    expect((await statuses()).toSorted()).toEqual([200, 200, 401]);

    // It ends elsewhere while the list still shows it.
    for (const other of [first, second, third]) await callApi(other, "POST", "/api/auth/sign-out");
    await endFirst.click();
    await dialog.getByRole("button", { name: "End session" }).click();
    await eventually(
      () => rows.count(),
      (count) => count === 1,
    );
    expect(await page.getByRole("button", { name: "End all others" }).count()).toBe(0);

    const last = await signIn();
    await page.reload();
    await page.getByRole("button", { name: "End all others" }).click();
    await dialog.getByRole("button", { name: "End all others" }).click();
    await page.getByText("All other sessions have ended.").waitFor();
    expect([await signedInAt(page), await signedInAt(last)]).toEqual([200, 401]);
  });
});

const look = (page: Page) =>
  page.evaluate<[string, string | undefined]>(
    "[document.documentElement.lang, document.documentElement.dataset.theme]",
  );

describe("language, theme and time zone", () => {
  test("hold at once, and follow the person to another browser, also when chosen in a menu", async () => {
    const page = await openProfile();
    // The answer to the first change comes after the others have been made, and undoes none of them.
    const chosen = Promise.withResolvers<void>();
    const late = async (route: Route) => {
      const response = await route.fetch();
      await chosen.promise;
      await route.fulfill({ response });
    };
    await page.route("**/api/auth/me", late, { times: 1 });
    await page.getByLabel("Time zone", { exact: true }).selectOption("Asia/Tokyo");
    await page.getByLabel("Theme", { exact: true }).selectOption({ label: "Dark" });
    await page.getByLabel("Language", { exact: true }).selectOption("de");
    await page.getByRole("heading", { level: 1, name: "Profil", exact: true }).waitFor();
    chosen.resolve();
    const saved = () =>
      callApi<{ user: Record<string, string | null> }>(page, "GET", "/api/auth/me").then(({ user }) => [
        user["language"],
        user["theme"],
        user["timeZone"],
      ]);
    await eventually(saved, (now) => String(now) === "de,dark,Asia/Tokyo");

    const other = await openProfileIn("Profil");
    expect(await look(other)).toEqual(["de", "dark"]);
    const written = await other.locator("[id$=-note]").filter({ hasText: "Jetzt:" }).textContent();
    const inTokyo = new Intl.DateTimeFormat("de", { timeZone: "Asia/Tokyo", hour: "2-digit" }).format();
    expect(written).toContain(` ${inTokyo.slice(0, 2)}:`);

    await other.getByRole("button", { name: "Konto: Jonas" }).click();
    await other.getByRole("menuitemradio", { name: "English" }).click();
    await other.getByLabel("Theme", { exact: true }).selectOption("system");
    await other.getByLabel("Time zone", { exact: true }).selectOption("");
    await eventually(saved, (now) => String(now) === "en,,");

    // The first browser remembers what the account had when it was last seen here, and gives way.
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
    expect(await look(page)).toEqual(["en-GB", undefined]);
  });

  test("chosen while the server is away hold here, also after a reload, and are sent once it is back", async () => {
    const page = await openProfile();
    let isAway = true;
    await page.route("**/api/auth/me", (route) =>
      isAway && route.request().method() === "PATCH" ? route.abort() : route.continue(),
    );
    await page.getByLabel("Theme", { exact: true }).selectOption("dark");
    await page.getByLabel("Time zone", { exact: true }).selectOption("Asia/Tokyo");
    const shown = async () => [
      (await look(page))[1],
      await page.getByLabel("Time zone", { exact: true }).inputValue(),
    ];
    const saved = () =>
      callApi<{ user: Record<string, string | null> }>(page, "GET", "/api/auth/me").then(({ user }) => [
        user["theme"],
        user["timeZone"],
      ]);
    await page.reload();
    await thisDevice(page).waitFor();
    await eventually(shown, (now) => String(now) === "dark,Asia/Tokyo");
    expect([await saved(), await page.getByRole("alert").count()]).toEqual([[null, null], 0]);
    isAway = false;
    await eventually(saved, (now) => String(now) === "dark,Asia/Tokyo");
    expect(await shown()).toEqual(["dark", "Asia/Tokyo"]);
  });

  test("chosen before signing in are the person's from then on", async () => {
    const page = await openPage(app.url);
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Language" }).click();
    await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
    await page.getByLabel("E-Mail").fill(person.email);
    await page.getByLabel("Passwort", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Anmelden" }).click();
    await page.getByRole("button", { name: "Konto: Jonas" }).waitFor();
    const other = await openProfileIn("Profil");
    expect((await look(other))[0]).toBe("de");
  });
});

async function openProfileIn(title: string): Promise<Page> {
  const page = await signIn();
  await page.goto("/settings/profile");
  await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
  return page;
}
