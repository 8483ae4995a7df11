import { threadId } from "node:worker_threads";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { PageReader, type PageReaderOptions } from "../../../src/checks/site/page-reader.ts";
import * as behaviours from "../../harness/behaviours.ts";
import { eventually } from "../../harness/eventually.ts";
import { startHttpTarget } from "../factories.ts";

const SCRIPTED = new URL("./scripted-pages.ts", import.meta.url);

function open(options: Partial<PageReaderOptions> = {}) {
  const faults: object[] = [];
  const log = { error: (fields: object) => void faults.push(fields) };
  const pages = new PageReader({ settings: { resolvers: ["127.0.0.1:1"], policy: "all" }, log, ...options });
  onTestFinished(() => pages.close());
  return { pages, faults };
}

const html = (text: string) => behaviours.body(text, { "content-type": "text/html" });

describe("the thread that reads pages", () => {
  test("gives titles and icons, and why there are none", async () => {
    const { pages } = open();
    const target = await startHttpTarget({ handler: html("<title>Shop</title>") });
    const request = { url: target.url, organizationId: 1 };
    expect(await pages.read("title", request)).toEqual({ title: "Shop", url: target.url });
    expect(await pages.read("icon", request)).toBeNull();
    target.set(html('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    const icon = await pages.read("icon", request);
    expect([icon?.contentType, Buffer.from(icon?.data ?? []).toString()]).toEqual([
      "image/svg+xml",
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
    ]);
    const uses = (name: string) => `<use href="#${name}"/>`.repeat(10);
    const nested = `<g id="a">${uses("b")}</g><g id="b">${uses("c")}</g><path id="c"/>`;
    target.set(html(`<svg xmlns="http://www.w3.org/2000/svg">${nested}</svg>`));
    expect(await pages.read("icon", request)).toBeNull();
    await target.refuse();
    await expect(pages.read("title", request)).rejects.toMatchObject({
      name: "PageError",
      message: expect.stringMatching(/^refused\b/),
    });
  });

  test("costs this one next to nothing, whatever the page is made of", async () => {
    const { pages } = open();
    const target = await startHttpTarget({ handler: html("<p>".repeat(170_000)) });
    await pages.read("title", { url: target.url, organizationId: 1 });
    const before = process.threadCpuUsage();
    for (let page = 0; page < 20; page++) await pages.read("icon", { url: target.url, organizationId: 1 });
    const { user } = process.threadCpuUsage(before);
    // Serving the pages is in it: this thread is the target's as well.
    expect(user / 20_000).toBeLessThan(10);
  });

  test("passes the guard at every hop, as this one would", async () => {
    const inner = await startHttpTarget({ handler: html("<title>Inside</title>") });
    const { pages } = open({ settings: { resolvers: ["127.0.0.1:1"], policy: "public" } });
    await expect(pages.read("title", { url: inner.url, organizationId: 1 })).rejects.toMatchObject({
      message: expect.stringMatching(/^guard\b/),
    });
    expect(await pages.read("icon", { url: inner.url, organizationId: 1 })).toBeNull();
    expect(inner.connections()).toBe(0);
    inner.set(behaviours.redirect("http://169.254.169.254/"));
    const reading = open().pages.read("title", { url: inner.url, organizationId: 1 });
    await expect(reading).rejects.toMatchObject({ message: expect.stringMatching(/^guard\b/) });
  });

  test("drops the connection at once when the reader is gone", async () => {
    const { pages } = open();
    let isGone = false;
    const target = await startHttpTarget({
      handler: (socket) => void socket.on("close", () => (isGone = true)),
    });
    const leaving = new AbortController();
    const reading = pages.read("title", { url: target.url, organizationId: 1, signal: leaving.signal });
    await eventually(
      () => target.requests.length,
      (count) => count === 1,
    );
    leaving.abort();
    await expect(reading).rejects.toMatchObject({ message: expect.stringMatching(/^internal\b/) });
    // Well before the 10 s are over that a page has.
    await eventually(() => isGone, Boolean, 5_000);
    await expect(
      pages.read("title", { url: "x", organizationId: 1, signal: leaving.signal }),
    ).rejects.toThrow();
  });

  test("starts with the first page and ends when there have been none for a while", async () => {
    const { pages } = open({ entry: SCRIPTED, idleMs: 1 });
    const read = async () => (await pages.read("title", { url: "", organizationId: 1 })).title;
    const first = await read();
    expect(first).not.toBe(String(threadId));
    await eventually(read, (thread) => thread !== first);
  });

  test("ends with a page that crashes it or never lets it go, and the next page has a new one", async () => {
    // In it a new thread must have started, on a busy machine too.
    const { pages, faults } = open({ entry: SCRIPTED, stuckMs: 3_000 });
    for (const url of ["crash", "spin"]) {
      await expect(pages.read("title", { url, organizationId: 1 })).rejects.toMatchObject({
        name: "PageError",
      });
      expect((await pages.read("title", { url: "", organizationId: 1 })).url).toBe("");
    }
    expect(faults).toHaveLength(1);
  });

  test("fails a page alone whose reading throws: that is a fault of ours, and the others go on", async () => {
    const { pages, faults } = open({ entry: SCRIPTED });
    const read = (url: string) => pages.read("title", { url, organizationId: 1 });
    const waiting = read("wait");
    const fault = await read("throw").catch((error: Error) => error);
    expect(fault).toMatchObject({ name: "Error", message: "scripted" });
    expect((fault as Error).stack).toContain("scripted-pages");
    const { title } = await read("go");
    expect(await waiting).toEqual({ title, url: "wait" });
    expect(faults).toEqual([]);
  });

  test("waits with its end until there have been no pages for its time, however many ended together", async () => {
    const { pages } = open({ entry: SCRIPTED, idleMs: 1_000 });
    await pages.read("title", { url: "", organizationId: 1 });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const leaving = new AbortController();
    const { signal } = leaving;
    const left = [1, 2].map(() => pages.read("title", { url: "hang", organizationId: 1, signal }));
    const all = Promise.allSettled(left);
    await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    await all;
    const waiting = pages.read("title", { url: "wait", organizationId: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(1_001);
    await pages.read("title", { url: "go", organizationId: 1 });
    expect((await waiting).url).toBe("wait");
  });

  test("ends with a page that makes it too hungry, and no other suffers", async () => {
    const { pages, faults } = open({ entry: SCRIPTED });
    const read = (url: string) => pages.read("title", { url, organizationId: 1 });
    await expect(read("hungry")).rejects.toMatchObject({ name: "PageError" });
    expect(faults).toMatchObject([{ err: { code: "ERR_WORKER_OUT_OF_MEMORY" } }]);
    expect((await read("")).url).toBe("");
  });

  test("reads hundreds of pages, each in the place of one that was read", async () => {
    const { pages } = open({ entry: SCRIPTED });
    const readings = Array.from({ length: 300 }, (_, n) =>
      pages.read("title", { url: String(n), organizationId: n % 10 }),
    );
    expect((await Promise.all(readings)).map(({ url }) => Number(url))).toEqual(readings.map((_, n) => n));
  });

  test("forgets a page that waits for its turn when it is no longer wanted", async () => {
    const { pages } = open({ entry: SCRIPTED });
    const hang = (signal?: AbortSignal) => pages.read("title", { url: "hang", organizationId: 1, signal });
    // As many as may be under way and wait, but for one.
    const others = Promise.allSettled(Array.from({ length: 59 }, () => hang()));
    const leaving = new AbortController();
    const left = hang(leaving.signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({
      name: "PageError",
      message: expect.stringMatching(/^internal\b/),
    });
    const next = hang().catch((error: unknown) => error);
    await pages.close();
    // Closed, not refused for want of room.
    expect(await next).toMatchObject({ name: "PageError", message: expect.stringMatching(/^internal\b/) });
    await others;
  });

  test("is shared: an organization whose pages all hang keeps no other waiting", async () => {
    const { pages } = open({ entry: SCRIPTED });
    const hanging = Array.from({ length: 100 }, () =>
      pages.read("title", { url: "hang", organizationId: 1 }),
    );
    const all = Promise.allSettled(hanging);
    expect((await pages.read("title", { url: "a", organizationId: 2 })).url).toBe("a");
    await pages.close();
    expect((await all).every(({ status }) => status === "rejected")).toBe(true);
  });

  test("says 503 to an organization with dozens of pages waiting, and to no other", async () => {
    const { pages } = open({ entry: SCRIPTED });
    const hang = () => pages.read("title", { url: "hang", organizationId: 1 });
    const all = Promise.allSettled(Array.from({ length: 600 }, hang));
    await expect(hang()).rejects.toMatchObject({ kind: "unavailable" });
    expect((await pages.read("title", { url: "a", organizationId: 2 })).url).toBe("a");
    await pages.close();
    expect(
      (await all).filter((one) => one.status === "rejected" && one.reason.kind === "unavailable"),
    ).toHaveLength(540);
  });

  test("says 503 when hundreds wait already", async () => {
    const { pages } = open({ entry: SCRIPTED });
    const hang = (organizationId: number) => pages.read("title", { url: "hang", organizationId });
    const all = Promise.allSettled(Array.from({ length: 600 }, (_, n) => hang(n % 20)));
    await expect(hang(21)).rejects.toMatchObject({ kind: "unavailable" });
    await pages.close();
    await all;
  });
});
