import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { openPage } from "./harness/browser.ts";
import { callApi, owner, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();
const password = "two lamps in a window";
const people = { admin: "Jonas Brandt", member: "Ada Sørensen", viewer: "Li Wei" } as const;
type Role = "owner" | keyof typeof people;
const emailOf = (role: keyof typeof people) => `${role}@northwind.test`;

interface Organization {
  id: number;
  name: string;
}

/** A page of the settings, for a member in that role. */
async function openAs(role: Role, path: string): Promise<Page> {
  if (role === "owner") {
    const page = await app.open();
    await page.goto(path);
    return page;
  }
  const page = await openPage(app.url);
  await page.goto("/sign-in");
  await callApi(page, "POST", "/api/auth/sign-in", { email: emailOf(role), password });
  await page.goto(path);
  return page;
}

const ownOrganization = async (page: Page) =>
  (await callApi<{ organization: Organization }>(page, "GET", "/api/auth/me")).organization;

beforeAll(async () => {
  const headers = { cookie: app.cookie, origin: app.url, "content-type": "application/json" };
  const me = await fetch(`${app.url}/api/auth/me`, { headers });
  const { data } = (await me.json()) as { data: { organization: Organization } };
  for (const [role, name] of Object.entries(people)) {
    const body = { role, name, password, email: emailOf(role as keyof typeof people) };
    const at = `${app.url}/api/organizations/${data.organization.id}/members`;
    await fetch(at, { method: "POST", headers, body: JSON.stringify(body) });
  }
});

describe("the organization's settings", () => {
  const seen: Record<Role, { runs: boolean; roles: number; owns: boolean }> = {
    owner: { runs: true, roles: 3, owns: true },
    admin: { runs: true, roles: 3, owns: false },
    member: { runs: false, roles: 0, owns: false },
    viewer: { runs: false, roles: 0, owns: false },
  };
  test.each(Object.entries(seen) as [Role, (typeof seen)[Role]][])(
    "show the %s what the role may do, and nothing else",
    async (role, { runs, roles, owns }) => {
      const page = await openAs(role, "/settings/organization");
      await page.getByRole("heading", { name: "Members" }).waitFor();
      await page.getByText(emailOf("viewer")).waitFor();
      await page.getByText("Shortest check interval").waitFor();
      const count = async (kind: "button" | "heading" | "textbox" | "link", name: string) =>
        page.getByRole(kind, { name, exact: true }).count();
      expect(await count("textbox", "Organization name")).toBe(runs ? 1 : 0);
      expect(await count("heading", "Invitations")).toBe(runs ? 1 : 0);
      expect(await count("link", "Audit log")).toBe(runs ? 1 : 0);
      expect(await page.getByRole("combobox", { name: /^Role of/ }).count()).toBe(roles);
      expect(await count("heading", "Mail")).toBe(owns ? 1 : 0);
      expect(await count("button", "Hand over")).toBe(owns ? 1 : 0);
      expect(await count("heading", "Delete")).toBe(owns ? 1 : 0);
      // It is everybody's only one.
      expect(await count("button", "Leave")).toBe(0);
      const options = page.getByRole("combobox", { name: `Role of ${people.viewer}` }).getByRole("option");
      expect(await options.allTextContents()).toEqual(
        owns ? ["Owner", "Admin", "Member", "Viewer"] : runs ? ["Admin", "Member", "Viewer"] : [],
      );
      await page.goto("/settings/audit-log");
      if (runs) await page.getByRole("link", { name: "Export CSV" }).waitFor();
      else await page.getByText("You may not see this").waitFor();
    },
  );

  test("invite a member with a link, again with another, and withdraw it, by keyboard", async () => {
    const page = await openAs("owner", "/settings/organization");
    const invite = page.getByRole("button", { name: "Invite", exact: true });
    await invite.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    // What is typed before that is lost.
    await dialog.locator("input[name=email]:focus").waitFor();
    await page.keyboard.type(emailOf("member"));
    await page.keyboard.press("Enter");
    await dialog.getByText("This person is a member already.").waitFor();
    await dialog.locator('input[name=email][aria-invalid="true"]:focus').waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("new@northwind.test");
    await page.keyboard.press("Tab");
    await page.keyboard.press("v");
    await dialog.getByText("May see everything and change nothing.").waitFor();
    await dialog.getByRole("button", { name: "Invite", exact: true }).press("Enter");
    await page.getByRole("heading", { name: "new@northwind.test is invited" }).waitFor();
    const first = await dialog.locator("code").textContent();
    expect(first).toMatch(new RegExp(`^${app.url}/invitation#[2-9A-Z-]{23}$`));
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await invite.and(page.locator(":focus")).waitFor();

    const row = page.getByRole("row").filter({ hasText: "new@northwind.test" });
    await row.getByText("Viewer").waitFor();
    await row.getByRole("button", { name: "Invite new@northwind.test again" }).press("Enter");
    await page.getByRole("heading", { name: "new@northwind.test is invited" }).waitFor();
    expect(await dialog.locator("code").textContent()).not.toBe(first);
    await dialog.getByRole("button", { name: "Done" }).press("Enter");
    await row.getByRole("button", { name: "Cancel the invitation of new@northwind.test" }).press("Enter");
    await page.getByText("There are no pending invitations.").waitFor();
  });

  test("rename the organization, change roles and remove a person; one's own role needs a confirmation", async () => {
    const page = await openAs("admin", "/settings/organization");
    const name = page.getByRole("textbox", { name: "Organization name" });
    await name.fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Enter a name.").waitFor();
    await name.fill("Northwind & Sons");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Name saved.").waitFor();

    await page.getByRole("combobox", { name: `Role of ${people.viewer}` }).selectOption("Member");
    await page.getByText(`${people.viewer} now has the role Member.`).waitFor();
    await page.getByRole("combobox", { name: `Role of ${people.admin}` }).selectOption("Viewer");
    const dialog = page.getByRole("dialog", { name: "Change your own role to Viewer?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    const own = page.getByRole("combobox", { name: `Role of ${people.admin}` });
    expect(await own.inputValue()).toBe("admin");

    await page.getByRole("button", { name: `Remove ${people.viewer}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText(`${people.viewer} was removed.`).waitFor();
    await page.getByRole("row").filter({ hasText: people.viewer }).waitFor({ state: "detached" });

    await own.selectOption("Viewer");
    await dialog.getByRole("button", { name: "Change my role" }).click();
    await page.getByRole("heading", { name: "Invitations" }).waitFor({ state: "detached" });
    expect(await page.getByRole("link", { name: "Audit log" }).count()).toBe(0);
  });

  test("look well in both themes, on a screen and on a phone", async () => {
    const page = await openAs("owner", "/settings/organization");
    const { id } = await ownOrganization(page);
    const body = {
      email: `a-very-long-address-of-a-person-${"x".repeat(40)}@northwind.test`,
      role: "member",
    };
    await callApi(page, "POST", `/api/organizations/${id}/invitations`, body);
    await callApi(page, "POST", "/api/organizations", { name: "Harbour" });
    await page.reload();
    await page.getByText(body.email).waitFor();
    await page.getByText("Shortest check interval").waitFor();
    expect(await faultsInEveryLook(page, "organization", true)).toEqual([]);
    await page.getByRole("button", { name: "Hand over" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await faultsInEveryLook(page, "organization-transfer")).toEqual([]);
    await page.keyboard.press("Escape");
    await page.goto("/settings/audit-log");
    await page.getByRole("cell", { name: owner.name }).first().waitFor();
    expect(await faultsInEveryLook(page, "audit-log", true)).toEqual([]);
  });

  test("hand an organization over for the password, and leave it", async () => {
    const page = await openAs("owner", "/settings/organization");
    const second = await callApi<Organization>(page, "POST", "/api/organizations", { name: "Lighthouse" });
    const heir = { role: "member", name: "Tove Berg", email: "tove@northwind.test", password };
    await callApi(page, "POST", `/api/organizations/${second.id}/members`, heir);
    const home = await ownOrganization(page);
    await callApi(page, "PUT", "/api/auth/organization", { organization: String(second.id) });
    await page.reload();
    await page.getByText("tove@northwind.test").waitFor();
    await page.getByRole("button", { name: "Leave" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Leave" }).click();
    await dialog.getByText("This is the organization's last owner.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();

    await page.getByRole("button", { name: "Hand over" }).click();
    await dialog.getByLabel("Your password").fill("wrong");
    await dialog.getByRole("button", { name: "Hand over" }).click();
    await dialog.getByText("The password is wrong.").waitFor();
    await dialog.getByLabel("Your password").fill(owner.password);
    await dialog.getByRole("button", { name: "Hand over" }).click();
    await page.getByText("Tove Berg is now the owner. You are an admin.").waitFor();
    await page.getByRole("button", { name: "Hand over" }).waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Leave" }).click();
    await dialog.getByRole("button", { name: "Leave" }).click();
    await page.getByText("You have left Lighthouse.").waitFor();
    expect((await ownOrganization(page)).id).toBe(home.id);
  });

  test("delete an organization once its name is typed, say until when on every page, and keep it", async () => {
    const page = await openAs("owner", "/settings/organization");
    const third = await callApi<Organization>(page, "POST", "/api/organizations", { name: "Pier" });
    const home = await ownOrganization(page);
    await callApi(page, "PUT", "/api/auth/organization", { organization: String(third.id) });
    await callApi(page, "POST", "/api/domains", { name: "Shop", url: "http://127.0.0.1:9/" });
    await page.reload();
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill("Peer");
    await dialog.getByRole("button", { name: "Delete organization" }).click();
    await dialog.getByText("This is not the organization's name.").waitFor();
    await dialog.getByRole("textbox").fill("Pier");
    await dialog.getByRole("button", { name: "Delete organization" }).click();
    const banner = page.getByText(/^Pier will be deleted on .* Until then, nothing in it is monitored\.$/);
    await banner.waitFor();
    expect(await faultsInEveryLook(page, "organization-ending")).toEqual([]);
    await page.goto("/domains");
    await banner.waitFor();
    const enabled = async () => {
      const [domain] = await callApi<{ enabled: boolean }[]>(page, "GET", "/api/domains");
      return domain?.enabled;
    };
    expect(await enabled()).toBe(false);
    await page.getByRole("button", { name: "Keep it" }).click();
    await banner.waitFor({ state: "detached" });
    expect(await enabled()).toBe(true);
    await callApi(page, "PUT", "/api/auth/organization", { organization: String(home.id) });
  });
});

describe("the audit log", () => {
  test("is narrowed by its filters, which the address holds, and saved as a file", async () => {
    const page = await openAs("owner", "/settings/audit-log");
    for (const name of ["Checkout", "Search"]) {
      await callApi(page, "POST", "/api/domains", { name, url: `http://127.0.0.1:9/${name}` });
    }
    await page.reload();
    const rows = page.locator("tbody tr:visible");
    await page.getByRole("row").filter({ hasText: "Checkout" }).waitFor();
    await page.getByLabel("Action").selectOption("Created a domain");
    await page.getByLabel("Name contains").fill("check");
    await page.getByRole("row").filter({ hasText: "Search" }).waitFor({ state: "detached" });
    expect(await rows.count()).toBe(1);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ action: "create domains", subject: "check" });
    await page.reload();
    await page.getByRole("row").filter({ hasText: "Checkout" }).waitFor();
    expect(await rows.count()).toBe(1);

    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export CSV" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);
    const text = await page.request.get(file.url()).then((answer) => answer.text());
    expect(text.trim().split("\n")).toHaveLength(2);

    await page.getByLabel("Until").fill("2020-01-01");
    await page.getByText("Nothing matches. Widen the filters.").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByRole("row").filter({ hasText: "Search" }).waitFor();
  });
});
