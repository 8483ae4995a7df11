import { describe, expect, test } from "vitest";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

describe("maintenance", () => {
  test("one is planned every week, seen in the calendar, changed, skipped once and deleted", async () => {
    const page = await app.open();
    await page.goto("/maintenance");
    await callApi(page, "POST", "/api/domains", { name: "Shop", url: "http://127.0.0.1:9/" });
    await page.getByRole("heading", { name: "No maintenance planned" }).waitFor();
    expect(await faultsInEveryLook(page, "maintenance-none")).toEqual([]);
    await page.getByRole("link", { name: "Plan maintenance" }).first().click();
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    await page.getByText("Say what it is for: everything, tags, or single monitors.").waitFor();
    await page.getByLabel("Title").fill("Kernel <b>update</b>");
    await page.getByRole("combobox", { name: "Monitors" }).fill("Sho");
    await page.getByRole("listbox").getByRole("option").first().click();
    await page.getByLabel("Starts").fill("2031-01-06T02:00");
    await page.getByLabel("Time zone").selectOption("Europe/Berlin");
    await page.getByLabel("Repeats").selectOption("weekly");
    await page.getByLabel("Thursday").check();
    const next = page.getByRole("list", { name: "Next times" });
    await next.getByText(/^Thu.*\b9\b.*2031/).waitFor();
    expect(await next.getByRole("listitem").count()).toBe(5);
    expect(await faultsInEveryLook(page, "maintenance-form")).toEqual([]);
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    const planned = page.getByRole("link", { name: "Kernel <b>update</b>" });
    await planned.waitFor();
    await page.getByText("Every week on Monday and Thursday, 1 hour").first().waitFor();
    expect(await faultsInEveryLook(page, "maintenance-list")).toEqual([]);

    await page.goto("/maintenance?view=calendar&month=2031-01");
    await page.getByRole("heading", { name: "January 2031" }).waitFor();
    await planned.first().waitFor();
    expect(await planned.count()).toBe(8);
    expect(await planned.first().textContent()).toMatch(/^\d\d:\d\d–\d\d:\d\d/);
    expect(await faultsInEveryLook(page, "maintenance-calendar")).toEqual([]);
    const grid = page.getByRole("grid", { name: "Calendar" });
    const isOn = (day: string) => page.locator(`td[data-day="${day}"]:focus`).waitFor({ state: "attached" });
    // One stop of Tab in the table, and from there by arrows, also into the months beside it.
    expect(await grid.locator("[tabindex='0']").count()).toBe(1);
    await grid
      .getByRole("gridcell", { name: /Wednesday.*January.*2031/ })
      .first()
      .focus();
    for (const [key, day] of [
      ["ArrowDown", "2031-01-08"],
      ["ArrowRight", "2031-01-09"],
      ["Home", "2031-01-06"],
      ["End", "2031-01-12"],
      ["ArrowUp", "2031-01-05"],
      ["PageDown", "2031-02-05"],
      ["PageUp", "2031-01-05"],
      ["ArrowLeft", "2031-01-04"],
      ["ArrowRight", "2031-01-05"],
      ["ArrowRight", "2031-01-06"],
    ] as const) {
      await page.keyboard.press(key);
      await isOn(day);
    }
    await page.keyboard.press("Enter");
    await page.locator("td[data-day='2031-01-06'] a:focus").waitFor({ state: "attached" });
    await page.keyboard.press("Escape");
    await isOn("2031-01-06");
    await page.getByRole("button", { name: "Next month" }).press("Enter");
    await page.getByRole("heading", { name: "February 2031" }).waitFor();
    await planned.first().click();
    await page.getByLabel("Duration").fill("90");
    await page.getByLabel("Unit").selectOption("minutes");
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL("**/maintenance");
    await page.getByRole("button", { name: "Actions for Kernel <b>update</b>" }).click();
    await page.getByRole("menuitem", { name: "Skip the next time" }).click();
    await page.getByText("The next time of Kernel <b>update</b> is skipped.").waitFor();
    const windowNow = () =>
      callApi<{ duration: number; nextAt: string }[]>(page, "GET", "/api/maintenance").then(([one]) => one);
    expect(await windowNow()).toMatchObject({ duration: 5400, nextAt: "2031-01-09T01:00:00.000Z" });
    // The window's own page can do the same, and shows what is left.
    await planned.first().click();
    await page.waitForURL(/\/maintenance\/\d+$/);
    await next.getByText(/^Thu.*\b9\b.*2031/).waitFor();
    await page.getByRole("button", { name: "Actions for Kernel <b>update</b>" }).click();
    await page.getByRole("menuitem", { name: "Skip the next time" }).press("Enter");
    await page.getByText("The next time of Kernel <b>update</b> is skipped.").first().waitFor();
    await next.getByText(/^Thu.*\b9\b.*2031/).waitFor({ state: "detached" });
    await next.getByText(/^Mon.*\b13\b.*2031/).waitFor();
    expect(await windowNow()).toMatchObject({ nextAt: "2031-01-13T01:00:00.000Z" });
    await page.goto("/maintenance");
    await page.getByRole("button", { name: "Actions for Kernel <b>update</b>" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No maintenance planned" }).waitFor();
  });

  test("a rule that the API was given is said in words", async () => {
    const page = await app.open();
    await page.goto("/maintenance");
    const { id } = await callApi<{ id: number }>(page, "POST", "/api/maintenance", {
      ...{ title: "Restore drill", startsAt: "2031-01-06T02:00:00Z", duration: 3600 },
      ...{ recurrence: "FREQ=MONTHLY;BYDAY=-1SU", everything: true },
    });
    await page.getByText("Every month on the last Sunday, 1 hour").first().waitFor();
    await callApi(page, "DELETE", `/api/maintenance/${id}`);
  });

  test("a monitor is muted for an hour from its page, says so, and is no longer muted when that is undone", async () => {
    const page = await app.open();
    await page.goto("/");
    const [domain] = await callApi<{ id: number }[]>(page, "GET", "/api/domains");
    await page.goto(`/domains/${domain?.id}`);
    await page.getByRole("button", { name: "Mute 1 h" }).click();
    const flag = page.getByRole("link", { name: /^Maintenance until / });
    await flag.waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await flag.waitFor({ state: "detached" });
    const active = () => callApi<{ title: string | null }[]>(page, "GET", "/api/maintenance?state=active");
    expect(await active()).toEqual([]);
    // Also later, when the message is gone.
    await page.getByRole("button", { name: "Mute 1 h" }).click();
    await flag.waitFor();
    // Status pages show titles; the monitor's name is the team's own.
    expect(await active()).toMatchObject([{ title: null }]);
    await page.getByRole("button", { name: "Unmute" }).click();
    await page.getByText("Shop is no longer muted.").waitFor();
    await flag.waitFor({ state: "detached" });
    expect(await active()).toEqual([]);
    // What others are in as well is not ended from here.
    const { id } = await callApi<{ id: number }>(page, "POST", "/api/maintenance", {
      ...{ title: "Rack", duration: 3600, everything: true },
    });
    await page.getByRole("button", { name: "Unmute" }).click();
    await page.getByText(/^Shop is in maintenance together with others\./).waitFor();
    expect(await active()).toHaveLength(1);

    await page.goto(`/maintenance/${id}`);
    await page.getByRole("heading", { name: "Rack" }).waitFor();
    expect(await faultsInEveryLook(page, "maintenance-open")).toEqual([]);
    await page.getByRole("button", { name: "End now" }).press("Enter");
    await page.getByText("Rack has ended.").waitFor();
    await page.locator("#content:focus").waitFor();
    expect(await active()).toEqual([]);
    await page.getByRole("button", { name: "Actions for Rack" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL("**/maintenance");
    expect(await callApi(page, "GET", "/api/maintenance?state=past")).not.toMatchObject([{ id }]);
  });

  test("what is in maintenance is a filter of the list, as long as there is any", async () => {
    const page = await app.open();
    await page.goto("/domains");
    const [domain] = await callApi<{ id: number }[]>(page, "GET", "/api/domains");
    const muted = { duration: 3600, monitorIds: [domain?.id] };
    const { id } = await callApi<{ id: number }>(page, "POST", "/api/maintenance", muted);
    await page.getByRole("button", { name: "In maintenance 1", exact: true }).click();
    await page.waitForURL("**/domains?show=maintenance");
    await page.getByRole("link", { name: "Shop", exact: true }).waitFor();
    expect(await faultsInEveryLook(page, "domains-in-maintenance")).toEqual([]);
    await callApi(page, "DELETE", `/api/maintenance/${id}`);
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
    await page.getByRole("button", { name: "Show all" }).first().click();
    await page.getByRole("link", { name: "Shop", exact: true }).waitFor();
    await page.getByRole("button", { name: /^In maintenance/ }).waitFor({ state: "detached" });
  });

  test("a device can be chosen; a day unfolds all of its windows; a window of another zone says its own time", async () => {
    const page = await app.open({ timeZone: "Europe/Berlin" });
    await page.goto("/maintenance/new");
    const { device } = await callApi<{ device: { id: number } }>(page, "POST", "/api/devices", {
      name: "Rack 1",
    });
    await page.getByLabel("Title").fill("New disks");
    await page.getByRole("combobox", { name: "Monitors" }).fill("Rack");
    await page
      .getByRole("listbox")
      .getByRole("option", { name: /Rack 1/ })
      .click();
    await page.getByLabel("Starts").fill("2031-05-05T02:00");
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    const planned = page.getByRole("row").filter({ hasText: "New disks" });
    await planned.getByText("Rack 1").waitFor();
    expect(await planned.getByText("in the time zone").count()).toBe(0);
    const more = { duration: 3600, monitorIds: [device.id] };
    for (const hour of [9, 11, 13, 15])
      await callApi(page, "POST", "/api/maintenance", {
        ...{
          ...more,
          title: `Look ${hour}`,
          startsAt: `2031-05-05T${String(hour).padStart(2, "0")}:00:00.000Z`,
        },
        timeZone: "Asia/Tokyo",
      });
    const look = page.getByRole("row").filter({ hasText: "Look 15" });
    await look.getByText(/17:00\W+18:00/).waitFor();
    await look.getByText(/^Tue.*00:00\W+01:00 in the time zone Asia\/Tokyo$/).waitFor();

    await page.goto("/maintenance?view=calendar&month=2031-05");
    const day = page.locator("td[data-day='2031-05-05']");
    await day.getByRole("link", { name: "Look 11" }).waitFor();
    expect(await day.getByRole("link").count()).toBe(3);
    // By keyboard: into the day, past its first windows, to the others.
    await day.focus();
    await page.keyboard.press("Enter");
    for (const key of ["Tab", "Tab", "Tab", "Enter"]) await page.keyboard.press(key);
    await day.locator("a:focus").filter({ hasText: "Look 13" }).waitFor();
    expect(await day.getByRole("link").count()).toBe(5);
    expect(await faultsInEveryLook(page, "maintenance-day")).toEqual([]);
    for (const { id } of await callApi<{ id: number }[]>(page, "GET", "/api/maintenance"))
      await callApi(page, "DELETE", `/api/maintenance/${id}`);
    await callApi(page, "DELETE", `/api/devices/${device.id}`);
  }, 240_000);
});
