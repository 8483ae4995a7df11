import { expect, test } from "vitest";
import { openPage } from "./harness/browser.ts";
import { callApi, owner, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();
const guest = { email: "jonas@northwind.test", password: "two lamps in a window", name: "Jonas" };

test("an invitation waits on the overview, is accepted or declined there, and leads to the organization", async () => {
  const page = await app.open();
  await page.goto("/");
  const { organization } = await callApi<{ organization: { id: number } }>(page, "GET", "/api/auth/me");
  const members = `/api/organizations/${organization.id}/members`;
  await callApi(page, "POST", members, { ...guest, role: "admin" });
  const other = await openPage(app.url);
  await other.goto("/sign-in");
  await callApi(other, "POST", "/api/auth/sign-in", { email: guest.email, password: guest.password });
  const codes: string[] = [];
  for (const name of ["Harbour", "Lighthouse"]) {
    const { id } = await callApi<{ id: number }>(other, "POST", "/api/organizations", { name });
    const body = { email: owner.email, role: "viewer" };
    const path = `/api/organizations/${id}/invitations`;
    codes.push((await callApi<{ code: string }>(other, "POST", path, body)).code);
  }

  await page.reload();
  await page.getByText("Lighthouse has invited you").waitFor();
  await page.getByText("Jonas invites you to join as viewer.").first().waitFor();
  expect(await faultsInEveryLook(page, "invitations")).toEqual([]);
  await page.getByRole("button", { name: "Decline" }).first().click();
  await page.getByText("Lighthouse has invited you").waitFor({ state: "detached" });
  await page.getByLabel("Invitation code").fill(codes[1] as string);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByText("This is not the code of this invitation.").waitFor();
  await page.getByLabel("Invitation code").fill(codes[0] as string);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByText("You now belong to Harbour.").waitFor();
  await page.getByText("Harbour has invited you").waitFor({ state: "detached" });
  await page.getByRole("banner").getByText("Harbour").waitFor();

  await page.getByRole("button", { name: `Account: ${owner.name}` }).click();
  await page.getByRole("menuitemradio", { name: "Northwind" }).click();
  await page.getByRole("banner").getByText("Northwind").waitFor();
});
