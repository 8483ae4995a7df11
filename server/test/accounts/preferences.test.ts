import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../harness/server.ts";
import { eachEngine } from "../harness/stores.ts";
import { openBrowser, PASSWORD, signedIn } from "./browser.ts";

const UNSET = { language: null, theme: null, timeZone: null };

eachEngine("a person's preferences", (engine) => {
  async function start() {
    const server = await startTestServer({ engine });
    onTestFinished(server.close);
    const { browser, email } = await signedIn(server);
    const change = (body: object) => browser.send("PATCH", "/api/auth/me", body);
    const read = async (from = browser) => {
      const { language, theme, timeZone } = (await from.send("GET", "/api/auth/me")).body.data.user;
      return { language, theme, timeZone };
    };
    return { server, email, browser, change, read };
  }

  test("are unset at first, change one at a time, and follow them to another browser", async () => {
    const { server, email, change, read } = await start();
    expect(await read()).toEqual(UNSET);
    const { status, body } = await change({ language: "de", timeZone: "Asia/Kolkata" });
    expect([status, body.data.user]).toMatchObject([200, { language: "de", timeZone: "Asia/Kolkata" }]);
    await change({ theme: "dark" });
    const other = openBrowser(server);
    await other.send("POST", "/api/auth/sign-in", { email, password: PASSWORD });
    expect(await read(other)).toEqual({ language: "de", theme: "dark", timeZone: "Asia/Kolkata" });
    await change({ timeZone: "asia/KOLKATA" });
    expect(await read()).toMatchObject({ timeZone: "Asia/Kolkata" });
    await change({ language: null, timeZone: null });
    expect(await read()).toEqual({ ...UNSET, theme: "dark" });
  });

  test.each([
    ["language", "fr"],
    ["language", ""],
    ["theme", "system"],
    ["timeZone", "Mars/Olympus_Mons"],
    ["timeZone", "+02:00"],
    ["timeZone", ""],
    ["timeZone", "a".repeat(100_000)],
    ["timeZone", 1],
  ])("%s cannot be %j, and nothing else of the request is done", async (field, value) => {
    const { change, read } = await start();
    const other = field === "theme" ? { language: "de" } : { theme: "dark" };
    const { status, body } = await change({ ...other, [field]: value });
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    expect(await read()).toEqual(UNSET);
  });

  test("say beside them what the browser has that was used last, which changes nothing that was chosen", async () => {
    const { change, read } = await start();
    const seen = { seenLanguage: "de", seenTimeZone: "asia/KOLKATA" };
    const { status, body } = await change(seen);
    expect([status, body.data.user]).toMatchObject([200, { ...seen, seenTimeZone: "Asia/Kolkata" }]);
    expect(await read()).toEqual(UNSET);
    expect((await change({ seenTimeZone: "Mars/Olympus_Mons", seenLanguage: "fr" })).body.errors).toEqual({
      seenTimeZone: [expect.any(String)],
      seenLanguage: [expect.any(String)],
    });
  });

  test("are not an API key's to change", async () => {
    const { server } = await start();
    expect((await server.api("PATCH", "/api/auth/me", { theme: "dark" })).status).toBe(403);
  });
});

eachEngine("a person's name", (engine) => {
  test("changes for everybody, without the space around it; an endless one is refused at its field", async () => {
    const server = await startTestServer({ engine });
    onTestFinished(server.close);
    const { browser } = await signedIn(server);
    const put = (name: string) => browser.send("PUT", "/api/auth/me", { name });
    expect((await put("  Mira Holm ")).body.data.user.name).toBe("Mira Holm");
    for (const name of ["", "   ", "a".repeat(256), "a".repeat(200_000), "line\nbreak"]) {
      const { status, body } = await put(name);
      expect([status, Object.keys(body.errors)]).toEqual([422, ["name"]]);
    }
    expect((await put("a".repeat(1_000_000))).status).toBe(413);
    expect((await browser.send("GET", "/api/auth/me")).body.data.user.name).toBe("Mira Holm");
  });
});
