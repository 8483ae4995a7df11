import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { eventually } from "../server/test/harness/eventually.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

interface Stored {
  id: number;
  slug: string;
  groups: { uuid: string; name: string }[];
  components: { uuid: string; displayName: string; groupId: number | null }[];
}

/** The headings and names that the preview shows, in order. */
const previewed = (page: Page) =>
  page
    .frameLocator("iframe:not([aria-hidden=true])")
    .locator("summary h3, .parts .row > :first-child")
    .allInnerTexts()
    // Another version takes its place.
    .catch(() => [] as string[]);

/** The editor of the one page that there is, at its first part or another one. */
async function openEditor(part?: string): Promise<Page> {
  const page = await app.open();
  await page.goto("/");
  const [stored] = await callApi<Stored[]>(page, "GET", "/api/status-pages");
  await page.goto(`/status-pages/${stored?.id}${part ? `?part=${part}` : ""}`);
  return page;
}

const handle = (page: Page, name: string) => page.getByRole("button", { name: `Move ${name}`, exact: true });

async function addMonitors(page: Page, names: readonly string[]) {
  await page.getByRole("button", { name: "Add monitors" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add monitors" });
  for (const name of names) {
    await dialog.getByRole("combobox", { name: "Monitors" }).fill(name);
    await dialog.getByRole("option", { name }).first().click();
  }
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
}

describe("the editor of a status page", () => {
  test("makes a page, arranges it with the keyboard, and shows it as visitors then see it", async () => {
    const page = await app.open();
    await page.goto("/status-pages");
    for (const name of ["Shop", "Search", "Mail"]) {
      await callApi(page, "POST", "/api/domains", { name, url: `http://127.0.0.1:9/${name}` });
    }
    await page.getByRole("heading", { name: "Show how your services are doing" }).waitFor();
    await page.getByRole("button", { name: "Create status page" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill("Müller’s <b>status</b>");
    await eventually(
      () => page.getByLabel("Address", { exact: true }).inputValue(),
      (slug) => slug === "mueller-s-b-status-b",
    );
    await page.getByLabel("Address", { exact: true }).fill("api");
    await page.getByText("The slug api is reserved. Choose another one.").waitFor();
    await page.getByLabel("Address", { exact: true }).fill("mueller");
    await page.getByText("This address is free.").waitFor();
    expect(await faultsInEveryLook(page, "status-pages-create")).toEqual([]);
    await page.getByRole("button", { name: "Create", exact: true }).click();

    await page.getByRole("heading", { name: "Choose what visitors see" }).waitFor();
    await addMonitors(page, ["Shop", "Search", "Mail"]);
    await eventually(
      () => previewed(page),
      (names) => String(names) === "Shop,Search,Mail",
    );
    await page.getByRole("button", { name: "Add group" }).click();
    await page.keyboard.type("Inside");
    // Down to the end of the list, and from there into the group.
    await handle(page, "Shop").focus();
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press("ArrowDown");
    await page.getByText("Shop: place 1 of 1, Inside").waitFor({ state: "attached" });
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Move Shop");
    await handle(page, "Search").press("ArrowDown");
    await page
      .locator("[data-component]", { hasText: "Mail" })
      .getByRole("button", { expanded: false })
      .first()
      .click();
    const warning = page.getByText(
      "Visitors read this name, and it is an address or reveals what is checked.",
    );
    await page.getByLabel("Name for visitors").fill("mail.internal:587");
    await warning.waitFor();
    expect(await faultsInEveryLook(page, "status-page-revealing")).toEqual([]);
    await page.getByLabel("Name for visitors").fill("E-mail");
    await warning.waitFor({ state: "detached" });
    await eventually(
      () => previewed(page),
      (names) => String(names) === "E-mail,Search,Inside,Shop",
    );

    // Nothing is lost by a slip: neither by leaving nor by looking at another part.
    await page.getByRole("button", { name: "Text and address" }).click();
    await page.getByLabel("Description").fill("What we run.");
    expect(await faultsInEveryLook(page, "status-page-about")).toEqual([]);
    await page.getByRole("link", { name: "Overview" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Keep editing" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The status page was saved.").waitFor();

    const [stored] = await callApi<Stored[]>(page, "GET", "/api/status-pages");
    expect(stored?.components.map(({ displayName }) => displayName)).toEqual(["E-mail", "Search", "Shop"]);
    const visitor = await app.open();
    await visitor.goto("/status/mueller");
    await visitor.getByText("What we run.").waitFor();
    expect(await visitor.locator("summary h3, .parts .row > :first-child").allInnerTexts()).toEqual([
      "E-mail",
      "Search",
      "Inside",
      "Shop",
    ]);
    await visitor.context().close();
  }, 240_000);

  test("drags a component into a group", async () => {
    const page = await openEditor();
    await handle(page, "Search").dragTo(handle(page, "Shop"), { targetPosition: { x: 10, y: 4 } });
    await eventually(
      () => previewed(page),
      (names) => String(names) === "E-mail,Inside,Search,Shop",
    );
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The status page was saved.").waitFor();
  });

  test("previews on a phone, by night and in another language, runs nothing and leads nowhere", async () => {
    const page = await openEditor();
    const shown = page.frameLocator("iframe:not([aria-hidden=true])");
    await shown.getByText("What we run.").waitFor();
    await page.getByRole("button", { name: "As on a phone" }).click();
    await page.getByRole("button", { name: "Dark", exact: true }).click();
    await shown.getByRole("link", { name: "Deutsch" }).click();
    await shown.locator("html[lang=de]").waitFor();
    const inside = page.frames().at(-1);
    expect(await inside?.evaluate("getComputedStyle(document.documentElement).backgroundColor")).toBe(
      "rgb(13, 14, 16)",
    );
    expect(await inside?.evaluate("innerWidth")).toBe(390);
    await shown.getByRole("link", { name: "Atom" }).click();
    await shown.getByText("What we run.").waitFor();
    expect(page.url()).toMatch(/\/status-pages\/\d+$/);
  });

  test("warns of what another user has saved meanwhile, and overwrites nothing by itself", async () => {
    const page = await openEditor("about");
    const [stored] = await callApi<Stored[]>(page, "GET", "/api/status-pages");
    await page.getByLabel("Description").fill("Mine.");
    const [first] = stored?.components ?? [];
    // They also take off all but one component, and each group.
    await callApi(page, "PUT", `/api/status-pages/${stored?.id}`, {
      ...{ name: "Theirs", description: "Theirs." },
      contents: { components: [{ uuid: first?.uuid }], groups: [] },
    });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Another user has saved this page in the meantime.").waitFor();
    expect(await faultsInEveryLook(page, "status-page-conflict")).toEqual([]);
    await page.getByRole("button", { name: "Save mine over theirs" }).click();
    await page.getByText("The status page was saved.").waitFor();
    const saved = await callApi<Stored>(page, "GET", `/api/status-pages/${stored?.id}`);
    expect(saved).toMatchObject({ description: "Mine.", groups: [{ name: "Inside" }] });
    const names = ({ components }: Stored) => components.map(({ displayName }) => displayName);
    expect(names(saved)).toEqual(stored && names(stored));
  });

  test("keeps what is typed of the access when others save the page, and says when they saved the same", async () => {
    const page = await openEditor("about");
    const [stored] = await callApi<Stored[]>(page, "GET", "/api/status-pages");
    const saveTheirs = (change: object) => callApi(page, "PUT", `/api/status-pages/${stored?.id}`, change);
    // What is refused because of theirs has the page read anew.
    await page.getByLabel("Description").fill("Mine again.");
    const trySave = () => page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Access", exact: true }).click();
    const networks = page.getByLabel("Only from these networks");
    await saveTheirs({ allowedNetworks: ["127.0.0.0/8"] });
    await trySave();
    await eventually(
      () => networks.inputValue(),
      (shown) => shown === "127.0.0.0/8",
    );
    await networks.fill("192.0.2.0/24");
    await saveTheirs({ allowedNetworks: [] });
    await trySave();
    const ofAccess = page.locator("form").getByRole("alert");
    await ofAccess.getByText("Another user has saved this page in the meantime.").waitFor();
    expect(await networks.inputValue()).toBe("192.0.2.0/24");
    await ofAccess.getByRole("button", { name: "Drop my changes" }).click();
    expect(await networks.inputValue()).toBe("");
    await networks.fill("192.0.2.0/24");
    await page.getByRole("button", { name: "Drop my changes" }).click();
    await page.getByText("Another user has saved this page in the meantime.").waitFor({ state: "hidden" });
    expect(await networks.inputValue()).toBe("192.0.2.0/24");
  }, 240_000);

  test("warns of an accent that is hard to read, refuses a style sheet by its lines, and shows a logo", async () => {
    const page = await openEditor("look");
    await page.getByLabel("Accent color", { exact: true }).fill("#ffee00");
    await page.getByText(/^On the light page: contrast 1\.\d, less than 4\.5/).waitFor();
    await page.getByText(/^On the dark page: contrast .*easy to read/).waitFor();
    await page.getByLabel("Style sheet").fill("h1 { color: red }\n@import 'x.css';");
    await page.getByRole("alert").getByText(/2/).waitFor();
    expect(await faultsInEveryLook(page, "status-page-look")).toEqual([]);
    await page.getByLabel("Style sheet").fill(".overall { border-radius: 0 }");
    const preview = page.frameLocator("iframe:not([aria-hidden=true])");
    const radius = "getComputedStyle(document.querySelector('.overall')).borderTopLeftRadius";
    const seen = async () => {
      const shown = page.frames().at(-1);
      return shown?.evaluate(radius).catch(() => "");
    };
    await eventually(seen, (found) => found === "0px");
    const picture = "R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=";
    await page.setInputFiles("input[type=file]", {
      ...{ name: "logo.gif", mimeType: "image/gif", buffer: Buffer.from(picture, "base64") },
    });
    await page.getByRole("button", { name: "Use this logo" }).click();
    await page.getByText("The logo was set.").waitFor();
    await preview.locator("h1 img").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The status page was saved.").waitFor();
  }, 240_000);

  test("closes the page, has subscribers, and says why it can have no domain of its own yet", async () => {
    const page = await openEditor("access");
    await page.getByLabel("Everyone who knows the password").check();
    await page.getByLabel("Only from these networks").fill("nowhere");
    await page.getByLabel("Password", { exact: true }).fill("two lamps in a window");
    await page.getByRole("button", { name: "Save access" }).click();
    await page.getByRole("alert").first().waitFor();
    expect(await faultsInEveryLook(page, "status-page-access")).toEqual([]);
    await page.getByRole("button", { name: "Subscribers" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Keep editing" }).click();
    await page.getByLabel("Only from these networks").fill("");
    await page.getByRole("button", { name: "Save access" }).click();
    await page.getByLabel("New password").waitFor();

    await page.getByRole("button", { name: "Subscribers" }).click();
    await page.getByRole("heading", { name: "No subscribers yet" }).waitFor();
    await page.getByRole("button", { name: "Import" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("E-mail addresses").fill("ada@example.com\nnonsense\n");
    await dialog.getByRole("checkbox", { name: "Search" }).uncheck();
    await dialog.getByLabel("Language").selectOption("de");
    await dialog.getByRole("checkbox", { name: /^They have already agreed/ }).check();
    expect(await faultsInEveryLook(page, "status-page-import")).toEqual([]);
    await dialog.getByRole("button", { name: "Import" }).click();
    await dialog.getByText("1 address added.").waitFor();
    await dialog.getByText(/^Line 2: /).waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText("ada@example.com", { exact: true }).waitFor();
    const path = new URL(page.url()).pathname;
    const [subscriber] = await callApi<{ components: string[] }[]>(page, "GET", `/api${path}/subscribers`);
    expect(subscriber).toMatchObject({ language: "de", state: "active" });
    expect(subscriber?.components).toHaveLength(2);
    await page.getByLabel("State").selectOption("Ended");
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
    await page.getByLabel("State").selectOption("");
    await page.getByText("ada@example.com", { exact: true }).waitFor();
    expect(await faultsInEveryLook(page, "status-page-subscribers")).toEqual([]);
    await page.getByRole("button", { name: "Remove ada@example.com" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No subscribers yet" }).waitFor();

    await page.getByRole("button", { name: "Links", exact: true }).click();
    await page.getByRole("textbox", { name: "Domain" }).fill("status.northwind.example");
    await page.getByRole("button", { name: "Set domain" }).click();
    await page.getByText("once the installation knows its address").waitFor();
  }, 240_000);

  test("says whose old links end where an address was that of another page", async () => {
    const page = await app.open();
    await page.goto("/status-pages");
    const made = await callApi<Stored>(page, "POST", "/api/status-pages", { name: "Berlin", slug: "berlin" });
    await callApi(page, "PUT", `/api/status-pages/${made.id}`, { slug: "hamburg" });
    const warning = page.getByText("Berlin had this address before.");
    await page.getByRole("button", { name: "Create status page" }).first().click();
    await page.getByLabel("Address", { exact: true }).fill("berlin");
    await warning.waitFor();
    expect(await faultsInEveryLook(page, "status-page-former-slug")).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    // The page itself can have it back.
    await page.goto(`/status-pages/${made.id}?part=about`);
    await page.getByLabel("Address", { exact: true }).fill("berlin");
    await page.getByText("This address is free.").waitFor();
    expect(await warning.count()).toBe(0);
    await callApi(page, "DELETE", `/api/status-pages/${made.id}`);
  }, 240_000);

  test("gives what others can show of the page, and deletes it for who types its address", async () => {
    const page = await app.open();
    await page.goto("/status-pages");
    const row = page.getByRole("row", { name: /mueller/ });
    await row.getByText("With the password").first().waitFor();
    await row.getByRole("link").first().click();
    await page.getByRole("button", { name: "Links", exact: true }).click();
    await page.getByText("/status/mueller/feed.atom").waitFor();
    // What cannot send the password would show nothing.
    await page.getByText(/^Programs send the page’s password/).waitFor();
    expect(await page.getByText(/badge\/status\.svg|widget\.js/).count()).toBe(0);
    await page.getByRole("button", { name: "Copy: Feed (Atom)" }).waitFor();
    expect(await faultsInEveryLook(page, "status-page-links")).toEqual([]);
    // On a phone, too, it is seen which part this is.
    await page.setViewportSize({ width: 390, height: 740 });
    await page.reload();
    const pressed = page.getByRole("button", { name: "Links", exact: true, pressed: true });
    await eventually(
      async () => (await pressed.boundingBox())?.x ?? 390,
      (x) => x < 320,
    );
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("button", { name: "Text and address" }).click();
    await page.getByRole("button", { name: "Delete page…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Type mueller to confirm").fill("muller");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.getByText("Type mueller exactly as it is shown here.").waitFor();
    await dialog.getByLabel("Type mueller to confirm").fill("mueller");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Show how your services are doing" }).waitFor();
  });
});
