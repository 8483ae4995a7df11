import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { type Answer, startFakeModel } from "../server/test/assistant/fake-model.ts";
import { runCommand } from "../server/test/harness/process.ts";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

/** What the model says next, first to last. */
const script: Answer[] = [];
const model = await startFakeModel(() => script.shift() ?? { text: ["Nothing more."] });
afterAll(model.close);
const app = shareInstallation(async () => ({
  VEDETTE_ASSISTANT_URL: model.url.openai,
  VEDETTE_ASSISTANT_MODEL: "small-1",
}));
const bare = shareInstallation();

const panelOf = (page: Page) => page.locator("[data-assistant]");
const promptField = (page: Page) => panelOf(page).getByRole("textbox", { name: "Ask about your monitoring" });
async function send(page: Page, text: string): Promise<void> {
  await promptField(page).fill(text);
  await promptField(page).press("Enter");
}
async function openPanel(page: Page, path = "/"): Promise<void> {
  await page.goto(path);
  await page.getByRole("button", { name: "Assistant", exact: true }).click();
  await promptField(page).waitFor();
}

/** Wider than the panel, and narrower. */
const table = [
  "| Domain | Status | Uptime | Mean response | Certificate until | Why |",
  "|:--|---|--:|--:|---|---|",
  "| [shop.example.com](/domains) | **up** | 99.98 % | 182 ms | 2027-01-14 | |",
  "| static.content.example.com | down | 97.10 % | 95 ms | 2026-12-01 | Timeout after 10 s: nothing came back from any of its three addresses. |",
  "",
  "| Name | Status |",
  "|---|---|",
  "| Shop | up |",
].join("\n");

/** Opens one from the list, by the start of its first message. */
async function showConversation(page: Page, begins: string): Promise<void> {
  await panelOf(page).getByRole("button", { name: "Conversations" }).click();
  await panelOf(page)
    .getByRole("button", { name: new RegExp(`^${begins}`) })
    .click();
}

/** Opens the dialog of one in the list. */
async function changeInList(page: Page, title: string, what: "Rename" | "Delete"): Promise<void> {
  await panelOf(page)
    .getByRole("button", { name: `More about ${title}` })
    .click();
  await page.getByRole("menuitem", { name: what }).click();
}

test("an answer is written as it comes, with safe Markdown and links within the app, and is there after a reload", async () => {
  const page = await app.open();
  await openPanel(page);
  await panelOf(page).locator("textarea:focus").waitFor();
  const held = Promise.withResolvers<void>();
  script.push(
    { text: ["I look."], calls: [{ name: "list_domains", arguments: {} }] },
    {
      text: [
        "**All** is well. <b>No</b> ",
        "[Domains](/domains) ",
        "![picture](http://127.0.0.1:1/x.png)",
        " The end.",
        `\n\n${table}\n\n`,
        "~5 ms, ~6 ms, ~~gone~~, www.example.com and so on.[^1]\n\n- [x] seen\n\n[^1]: By itself.",
      ],
      until: held.promise,
    },
  );
  await send(page, "How is it?");
  const log = panelOf(page).getByRole("log");
  await log.getByText("Writing …").waitFor();
  await log.locator("strong", { hasText: "All" }).waitFor();
  held.resolve();
  await log.getByText("The end.").waitFor();
  await log.getByText("Writing …").waitFor({ state: "detached" });
  await log.getByText("List domains").waitFor();
  expect(await log.locator("b, img, input").count()).toBe(0);
  expect(await log.locator("del").allTextContents()).toEqual(["gone"]);
  // It scrolls in itself, with the keyboard too; one that fits is no obstacle.
  const tables = log.locator(":has(> table)");
  expect(await tables.evaluateAll((all) => all.map(({ tabIndex }) => tabIndex))).toEqual([0, -1]);
  await log.getByRole("region", { name: "Table" }).getByRole("columnheader", { name: "Uptime" }).waitFor();
  expect(await faultsInEveryLook(page, "assistant-answer", true)).toEqual([]);
  await log.getByRole("link", { name: "Domains" }).click();
  await page.waitForURL("**/domains");
  // It would cover what the link leads to.
  await panelOf(page).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Assistant", exact: true }).click();
  await log.getByText("The end.").waitFor();

  await page.reload();
  await page.getByRole("button", { name: "Assistant", exact: true }).click();
  await showConversation(page, "How is it");
  await log.getByText("The end.").waitFor();
});

test("an answer that would take long to read, or more than the browser can, is shown as it was written", async () => {
  const page = await app.open();
  await page.goto("/");
  for (const [userMessage, assistantMessage] of [
    ["Deep", `${">".repeat(3_000)} deep`],
    ["Long", `${"*a_".repeat(18_000)} long`],
  ]) {
    await callApi(page, "POST", "/api/chat/conversations", { userMessage, assistantMessage });
  }
  await openPanel(page);
  for (const [name, text] of [
    ["Deep", ">>> deep"],
    ["Long", "*a_*a_ long"],
  ] as const) {
    await showConversation(page, name);
    await panelOf(page).getByRole("log").getByText(text).waitFor();
  }
  await page.getByRole("heading", { level: 1 }).first().waitFor();
});

test("what would change something shows exactly what, waits for a click, and goes on after it", async () => {
  const page = await app.open();
  await openPanel(page);
  const call = { name: "create_domain", arguments: { name: "Shop\u200b", url: "http://127.0.0.1:9/" } };
  script.push({ text: ["I add your shop."], calls: [call] }, { text: ["Added."] });
  await send(page, "Watch my shop");
  const card = panelOf(page).getByRole("region", { name: "Decide: Monitor a URL" });
  await card.getByText("http://127.0.0.1:9/").waitFor();
  // Nothing can hide in it.
  await card.getByText("Shop\\u{200b}", { exact: true }).waitFor();
  expect(await callApi<object[]>(page, "GET", "/api/domains")).toEqual([]);
  expect(await faultsInEveryLook(page, "assistant-card", true)).toEqual([]);
  await page.reload();
  await page.getByRole("button", { name: "Assistant", exact: true }).click();
  await showConversation(page, "Watch my shop");
  await card.getByRole("button", { name: "Do it" }).click();
  await panelOf(page).getByText("Added.").waitFor();
  await panelOf(page).getByText("Agreed: Monitor a URL").waitFor();
  const [shop] = await callApi<{ id: number }[]>(page, "GET", "/api/domains");
  await card.waitFor({ state: "detached" });

  script.push(
    { calls: [{ name: "delete_domain", arguments: { id: String(shop?.id) } }] },
    { text: ["As you wish."] },
  );
  await send(page, "Remove it again");
  const removal = panelOf(page).getByRole("region", { name: "Decide: Stop monitoring a domain" });
  await removal.getByRole("button", { name: "Decline" }).click();
  await panelOf(page).getByText("As you wish.").waitFor();
  expect(await callApi<object[]>(page, "GET", "/api/domains")).toHaveLength(1);
});

test("readers read what would be done in their language, and the API's own words on demand", async () => {
  for (const [language, title, label, more] of [
    ["de", "Wartungsfenster planen", "Zeitzone", /^Was die API/],
    ["zh", "计划维护时段", "时区", /^API/],
    // The last, because it is remembered with the account.
    ["en", "Plan a maintenance window", "Time zone", /^What the API/],
  ] as const) {
    const page = await app.open();
    await page.addInitScript(`localStorage.setItem("vedette.language", "${language}")`);
    await page.goto("/");
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    const call = {
      name: "create_maintenance",
      arguments: {
        title: "Shop",
        startsAt: "2030-01-06T02:00:00Z",
        duration: 3600,
        timeZone: "Europe/Berlin",
      },
    };
    script.push({ text: ["OK."], calls: [{ name: "list_domains", arguments: {} }] }, { calls: [call] });
    await panelOf(page).getByRole("textbox").fill("?");
    await panelOf(page).getByRole("textbox").press("Enter");
    const card = panelOf(page).getByRole("region", { name: title });
    await card.getByRole("heading", { name: title }).waitFor();
    expect(await card.locator("h3 [lang]").count()).toBe(0);
    await card.getByText(label, { exact: true }).waitFor();
    await card.getByText("timeZone", { exact: true }).waitFor();
    expect(await panelOf(page).locator("li [lang]").count()).toBe(0);
    const words = card.locator("p[lang=en]");
    expect(await words.isVisible()).toBe(false);
    await card.getByText(more).click();
    await words.waitFor();
    expect(await faultsInEveryLook(page, `assistant-card-${language}`, true)).toEqual([]);
  }
});

test("after an approval the answer goes on wherever the reader is by then, and no message comes between", async () => {
  const page = await app.open();
  await openPanel(page);
  const watch = (name: string, url: string) => ({
    calls: [{ name: "create_domain", arguments: { name, url } }],
  });
  const agree = () => panelOf(page).getByRole("button", { name: "Do it" }).click();
  const approved = "**/api/chat/calls/*/approve";
  const slow = Promise.withResolvers<void>();
  await page.route(approved, async (route) => {
    const response = await route.fetch();
    await slow.promise;
    await route.fulfill({ response });
  });
  script.push(watch("One", "http://127.0.0.1:9/1"), { text: ["One is there."] });
  await send(page, "Watch the first");
  await agree();
  await send(page, "And another?");
  expect(await promptField(page).inputValue()).toBe("And another?");
  const conversations = panelOf(page).getByRole("button", { name: "Conversations" });
  await conversations.click();
  slow.resolve();
  await panelOf(page)
    .getByRole("button", { name: /^Watch the first/ })
    .waitFor();
  await conversations.click();
  await panelOf(page).getByText("One is there.").waitFor();
  expect(await panelOf(page).getByRole("alert").count()).toBe(0);

  // Done, but the answer that says so is lost.
  await page.unroute(approved);
  await page.route(approved, async (route) => {
    await route.fetch();
    await route.abort();
  });
  script.push(watch("Two", "http://127.0.0.1:9/2"), { text: ["Two is there."] });
  await promptField(page).press("Enter");
  await agree();
  await panelOf(page).getByRole("button", { name: "Go on" }).click();
  await panelOf(page).getByText("Two is there.").waitFor();
});

test("an answer is stopped; one that fails says why in plain words and leaves the message to be sent again", async () => {
  const page = await app.open();
  await openPanel(page);
  script.push({ text: ["So ", "far ", "and ", "on"], until: new Promise(() => {}) });
  await send(page, "Tell me all");
  const log = panelOf(page).getByRole("log");
  await log.getByText("So far").waitFor();
  await panelOf(page).getByRole("button", { name: "Stop" }).click();
  await log.getByText("Stopped.").waitFor();
  script.push({ status: 401, body: '{"error":{"message":"nonsense"}}' });
  await send(page, "And now?");
  await panelOf(page).getByRole("alert").getByText("VEDETTE_ASSISTANT_KEY").waitFor();
  expect(await promptField(page).inputValue()).toBe("And now?");
  expect(await faultsInEveryLook(page, "assistant-failed", true)).toEqual([]);
});

test("conversations are renamed and deleted; keys open, leave and close the panel", async () => {
  const page = await app.open();
  await page.goto("/");
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await callApi(page, "POST", "/api/chat/conversations", {
    userMessage: "An old message",
    assistantMessage: "An answer",
  });
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await promptField(page).waitFor();
  await panelOf(page).getByRole("button", { name: "Conversations" }).click();
  await changeInList(page, "An old message", "Rename");
  await page.getByRole("textbox", { name: "Title" }).press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await changeInList(page, "An old message", "Rename");
  await page.getByRole("textbox", { name: "Title" }).fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("[aria-invalid=true]:focus").waitFor();
  await page.getByRole("textbox", { name: "Title" }).fill("Shop, November");
  await page.getByRole("button", { name: "Save" }).click();
  await panelOf(page)
    .getByRole("button", { name: /^Shop, November/ })
    .waitFor();
  expect(await faultsInEveryLook(page, "assistant-list", true)).toEqual([]);
  await changeInList(page, "Shop, November", "Delete");
  await page.getByRole("button", { name: "Delete" }).click();
  await panelOf(page)
    .getByRole("button", { name: /^Shop, November/ })
    .waitFor({ state: "detached" });
  await panelOf(page).getByRole("button", { name: "Conversations" }).press("Escape");
  await panelOf(page).waitFor({ state: "detached" });
});

test("the shown conversation goes with its deletion, and stays where another one is deleted or nothing is", async () => {
  const page = await app.open();
  await page.goto("/");
  for (const userMessage of ["Keep me", "Drop me"]) {
    const exchange = { userMessage, assistantMessage: `Answer: ${userMessage}` };
    await callApi(page, "POST", "/api/chat/conversations", exchange);
  }
  await openPanel(page);
  const log = panelOf(page).getByRole("log");
  const conversations = panelOf(page).getByRole("button", { name: "Conversations" });
  await showConversation(page, "Keep me");
  await log.getByText("Answer: Keep me").waitFor();
  await conversations.click();
  const remove = async (title: string) => {
    await changeInList(page, title, "Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await panelOf(page)
      .getByRole("button", { name: new RegExp(`^${title}`) })
      .waitFor({ state: "detached" });
  };
  await remove("Drop me");
  await changeInList(page, "Keep me", "Delete");
  await page.getByRole("button", { name: "Cancel" }).click();
  await conversations.click();
  await log.getByText("Answer: Keep me").waitFor();
  await conversations.click();
  await remove("Keep me");
  await conversations.click();
  await panelOf(page).getByText("What would you like to know?").waitFor();
});

test("a deletion that ends late takes away what it deleted, and not what was opened meanwhile", async () => {
  const page = await app.open();
  await page.goto("/");
  for (const userMessage of ["Slowly gone", "Opened since"]) {
    const exchange = { userMessage, assistantMessage: `Answer: ${userMessage}` };
    await callApi(page, "POST", "/api/chat/conversations", exchange);
  }
  const slow = Promise.withResolvers<void>();
  await page.route(/conversations\/\d+$/, async (route) => {
    if (route.request().method() === "DELETE") await slow.promise;
    await route.continue();
  });
  await openPanel(page);
  const log = panelOf(page).getByRole("log");
  await showConversation(page, "Slowly gone");
  await log.getByText("Answer: Slowly gone").waitFor();
  await panelOf(page).getByRole("button", { name: "Conversations" }).click();
  await changeInList(page, "Slowly gone", "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await panelOf(page)
    .getByRole("button", { name: /^Opened since/ })
    .click();
  await log.getByText("Answer: Opened since").waitFor();
  const deleted = page.waitForResponse((response) => response.request().method() === "DELETE");
  slow.resolve();
  await deleted;
  await panelOf(page).getByRole("button", { name: "Conversations" }).click();
  await panelOf(page)
    .getByRole("button", { name: /^Slowly gone/ })
    .waitFor({ state: "detached" });
  await panelOf(page).getByRole("button", { name: "Conversations" }).click();
  await log.getByText("Answer: Opened since").waitFor();
});

test("what was typed and an answer that is being written are there after the panel was closed; elsewhere it stops", async () => {
  const page = await app.open();
  await openPanel(page);
  script.push({ text: ["So ", "far"], until: new Promise(() => {}) });
  await send(page, "A long story");
  const log = panelOf(page).getByRole("log");
  await log.getByText("So far").waitFor();
  await promptField(page).fill("And then?");
  await promptField(page).press("Escape");
  await panelOf(page).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Assistant", exact: true }).click();
  await log.getByText("So far").waitFor();
  expect(await promptField(page).inputValue()).toBe("And then?");
  await panelOf(page).getByRole("button", { name: "Stop" }).waitFor();
  await panelOf(page).getByRole("button", { name: "New conversation" }).click();
  await panelOf(page).getByText("What would you like to know?").waitFor();
  await showConversation(page, "A long story");
  await log.getByText("Stopped.").waitFor();
});

test("earlier messages are shown once, and stay where something is said after them", async () => {
  const page = await app.open();
  await page.goto("/");
  const say = (exchange: object) =>
    callApi<{ id: number }>(page, "POST", "/api/chat/conversations", exchange);
  const { id } = await say({ userMessage: "Message 0", assistantMessage: "Reply 0." });
  for (const at of Array(59).keys()) {
    const exchange = { userMessage: `Message ${at + 1}`, assistantMessage: `Reply ${at + 1}.` };
    await say({ ...exchange, conversationId: String(id) });
  }
  await openPanel(page);
  await showConversation(page, "Message 0");
  const log = panelOf(page).getByRole("log");
  await log.getByText("Reply 59.").waitFor();
  // As wide as a tablet that is held upright, a toast has less room than usual beside the panel.
  await page.setViewportSize({ width: 768, height: 900 });
  await page.route(/before=/, (route) => route.abort());
  await log.getByRole("button", { name: "Show earlier messages" }).click();
  const toast = page.getByText("Vedette cannot be reached.", { exact: false }).locator("..");
  expect((await toast.boundingBox())?.x).toBeGreaterThan(0);
  await page.unrouteAll({ behavior: "wait" });
  await log.getByRole("button", { name: "Show earlier messages" }).dblclick();
  await log.getByText("Reply 0.").waitFor();
  script.push({ text: ["One more."] });
  await send(page, "And?");
  await log.getByText("One more.").waitFor();
  await log.getByText("Writing …").waitFor({ state: "detached" });
  expect(await log.getByText("Reply 0.").count()).toBe(1);
  expect(await log.getByText(/^Reply/).count()).toBe(60);
});

test("a long list of conversations goes on", async () => {
  const page = await app.open();
  const at = new Date().toISOString();
  const many = Array.from({ length: 250 }, (_, id) => ({
    ...{ id: id + 1, uuid: String(id), title: `About ${id}`, createdAt: at, updatedAt: at },
  }));
  await page.route("**/api/chat/conversations?*", (route) => {
    const limit = Number(new URL(route.request().url()).searchParams.get("limit"));
    return route.fulfill({ json: { success: true, data: many.slice(0, limit) } });
  });
  await openPanel(page);
  await panelOf(page).getByRole("button", { name: "Conversations" }).click();
  const last = panelOf(page).getByRole("button", { name: /^About 249/ });
  await panelOf(page)
    .getByRole("button", { name: /^About 199/ })
    .waitFor();
  expect(await last.count()).toBe(0);
  const more = panelOf(page).getByRole("button", { name: "Show more" });
  await more.press("Enter");
  await last.waitFor();
  await more.waitFor({ state: "detached" });
  await page.locator("[data-assistant]:focus").waitFor();
});

test("the focus stays in the panel where what had it goes", async () => {
  const page = await app.open();
  await openPanel(page);
  const log = panelOf(page).getByRole("log");
  script.push({ calls: [{ name: "create_domain", arguments: { name: "F", url: "http://127.0.0.1:9/f" } }] });
  await panelOf(page).getByRole("button", { name: "What is down, and why?" }).press("Enter");
  await panelOf(page).locator("[role=log]:focus").waitFor();
  script.push({ text: ["So it is."] });
  await log.getByRole("button", { name: "Do it" }).press("Enter");
  await log.getByText("So it is.").waitFor();
  await panelOf(page).locator("[role=log]:focus").waitFor();
});

test("the focus stays in the panel where Stop takes the place of Send, and Send that of Stop", async () => {
  const page = await app.open();
  await page.goto("/");
  const exchange = { userMessage: "By keys", assistantMessage: "Yes." };
  await callApi(page, "POST", "/api/chat/conversations", exchange);
  await openPanel(page);
  await showConversation(page, "By keys");
  const held = Promise.withResolvers<void>();
  script.push({ text: ["So ", "far"], until: held.promise });
  await promptField(page).fill("And?");
  await panelOf(page).getByRole("button", { name: "Send" }).press("Space");
  await panelOf(page).getByText("So far").waitFor();
  await page.locator("[data-assistant]:focus").waitFor();
  await panelOf(page).getByRole("button", { name: "Stop" }).focus();
  held.resolve();
  await panelOf(page).getByRole("button", { name: "Send" }).waitFor();
  await page.locator("[data-assistant]:focus").waitFor();
});

test("the second click of two on Send does not stop the answer", async () => {
  const page = await app.open();
  await openPanel(page);
  const log = panelOf(page).getByRole("log");
  const held = Promise.withResolvers<void>();
  script.push({ text: ["All ", "of it."], until: held.promise });
  await promptField(page).fill("Go");
  await panelOf(page).getByRole("button", { name: "Send" }).dblclick();
  await log.getByText("All of it.").waitFor();
  held.resolve();
  await log.getByText("Writing …").waitFor({ state: "detached" });
  expect(await log.getByText("Stopped.").count()).toBe(0);
});

test("it is beside the page from 1440 px on, above it below, and in its place on a phone", async () => {
  for (const [width, isBeside] of [
    [1440, true],
    [1280, false],
  ] as const) {
    const page = await app.open();
    await page.setViewportSize({ width, height: 900 });
    await openPanel(page);
    const [panel, content] = await Promise.all([
      panelOf(page).boundingBox(),
      page.locator("#content").boundingBox(),
    ]);
    expect([panel?.width, (panel?.x ?? 0) + (panel?.width ?? 0)]).toEqual([400, width]);
    expect((content?.x ?? 0) + (content?.width ?? 0)).toBe(isBeside ? width - 400 : width);
  }
  const phone = await app.open();
  await phone.setViewportSize({ width: 390, height: 800 });
  await phone.goto("/");
  await callApi(phone, "POST", "/api/chat/conversations", {
    userMessage: "Where are they?",
    assistantMessage: "[Here](/domains)",
  });
  await phone.getByRole("button", { name: "More" }).click();
  await phone.getByRole("button", { name: "Assistant" }).click();
  await promptField(phone).waitFor();
  expect((await panelOf(phone).boundingBox())?.width).toBe(390);
  await showConversation(phone, "Where are they");
  await panelOf(phone).getByRole("link", { name: "Here" }).click();
  await panelOf(phone).waitFor({ state: "detached" });
  await phone.waitForURL("**/domains");
  await phone.getByRole("button", { name: "More" }).click();
  await phone.getByRole("button", { name: "Assistant" }).click();
  await panelOf(phone).getByRole("link", { name: "Here" }).waitFor();
  await panelOf(phone).getByRole("button", { name: "Close the assistant" }).click();
  await panelOf(phone).waitFor({ state: "detached" });
});

test("without a model it says how one is set up, and conversations are there", async () => {
  const page = await bare.open();
  await page.goto("/");
  await callApi(page, "POST", "/api/chat/conversations", {
    userMessage: "An old message",
    assistantMessage: "An answer",
  });
  await page.getByRole("button", { name: "Assistant", exact: true }).click();
  await panelOf(page).getByText("VEDETTE_ASSISTANT_URL").waitFor();
  expect(await promptField(page).count()).toBe(0);
  expect(await faultsInEveryLook(page, "assistant-set-up", true)).toEqual([]);
  await showConversation(page, "An old message");
  await panelOf(page).getByText("An answer").waitFor();
});

test("without the plan it is refused, and what cannot be read says so", async () => {
  const setPlan = async (plan: string) =>
    expect(await runCommand(["plan", "northwind", plan, "--data", bare.dataFolder])).toMatchObject({
      code: 0,
    });
  const page = await bare.open();
  await page.route("**/api/chat/assistant", (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto("/");
  await page.getByRole("button", { name: "Assistant", exact: true }).click();
  await panelOf(page).getByText("The assistant could not be loaded").waitFor();
  await setPlan("pro");
  await page.reload();
  await page.getByRole("button", { name: "Assistant", exact: true }).click();
  await panelOf(page).getByText("Expert Plan").waitFor();
  expect(await panelOf(page).getByRole("button").allInnerTexts()).toEqual([""]);
  await page.keyboard.press("Escape");
  await panelOf(page).waitFor({ state: "detached" });
  await setPlan("expert");
});
