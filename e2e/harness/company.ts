import type { Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { eventually } from "../../server/test/harness/eventually.ts";
import { startHttpTarget, type Target } from "../../server/test/harness/targets.ts";
import { type Providers, SECRETS, startProviders } from "../../server/test/integrations/providers.ts";
import { agentWith, listOf, metrics, processOf, system } from "./agent.ts";
import { type Look, openPage } from "./browser.ts";
import { owner, shareInstallation } from "./installation.ts";

/** The roles, the highest first. */
export const roles = ["owner", "admin", "member", "viewer"] as const;
export type Role = (typeof roles)[number];

const password = "two lamps in a window";
const people: Record<Role, { name: string; email: string; password: string }> = {
  owner,
  admin: { name: "Jonas Brandt", email: "jonas@northwind.test", password },
  member: { name: "Ada Sørensen", email: "ada@northwind.test", password },
  viewer: { name: "Li Wei", email: "li@northwind.test", password },
};

/** What the pages of the company are about, by the parameters of their addresses. */
export interface Numbers {
  domain: number;
  service: number;
  device: number;
  incident: number;
  window: number;
  statusPage: number;
  template: number;
  channel: number;
  account: number;
  /** The code of an invitation to a person without an account. */
  invitation: string;
}

/**
 * A company of four people, one in each role, with domains, services, keys and invitations. All of them belong to
 * another organization as well, Harbour, in the same role: nothing is in that.
 */
export interface Company {
  url: string;
  ids: Numbers;
  /** An empty page of a browser with a session in this role, in the company or in the empty organization. */
  open(role: Role, look?: Look, where?: "full" | "empty"): Promise<Page>;
  /** The status of the API's answer to this role. */
  statusFor(role: Role, method: string, path: string, body?: object): Promise<number>;
}

interface Named {
  id: number;
}

/** Founds it before the first test of the file; its server ends after the last. */
export function shareCompany(): Company {
  const app = shareInstallation();
  const cookies = { full: {}, empty: {} } as Record<"full" | "empty", Record<Role, string>>;
  let target: Target;
  let providers: Providers;
  const request = (cookie: string, method: string, path: string, body?: object) =>
    fetch(app.url + path, {
      method,
      headers: { cookie, origin: app.url, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const call = async <T = Named>(cookie: string, method: string, path: string, body?: object): Promise<T> => {
    const response = await request(cookie, method, path, body);
    const envelope = (await response.json()) as { success: boolean; data: T };
    if (!envelope.success)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(envelope)}`);
    return envelope.data;
  };
  const signIn = async ({ email, password: known }: { email: string; password: string }) => {
    const response = await request("", "POST", "/api/auth/sign-in", { email, password: known });
    return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  };
  const company: Company = {
    url: "",
    ids: {
      domain: 0,
      service: 0,
      device: 0,
      incident: 0,
      window: 0,
      statusPage: 0,
      template: 0,
      channel: 0,
      account: 0,
      invitation: "",
    },
    async open(role, look, where = "full") {
      const page = await openPage(app.url, look);
      const [name = "", value = ""] = cookies[where][role].split("=");
      await page.context().addCookies([{ name, value, url: app.url }]);
      return page;
    },
    statusFor: async (role, method, path, body) =>
      (await request(cookies.full[role], method, path, body)).status,
  };
  beforeAll(async () => {
    target = await startHttpTarget();
    company.url = app.url;
    const boss = app.cookie;
    cookies.full.owner = boss;
    const me = await call<{ organization: Named }>(boss, "GET", "/api/auth/me");
    const northwind = `/api/organizations/${me.organization.id}`;
    const harbour = await call(boss, "POST", "/api/organizations", { name: "Harbour" });
    const staff = roles.filter((role) => role !== "owner");
    for (const role of staff) {
      // A viewer has made a key before.
      const body = { ...people[role], role: role === "viewer" ? "member" : role };
      const member = await call(boss, "POST", `${northwind}/members`, body);
      cookies.full[role] = await signIn(people[role]);
      const invitation = { email: people[role].email, role };
      const invited = await call<{ id: number; code: string }>(
        boss,
        "POST",
        `/api/organizations/${harbour.id}/invitations`,
        invitation,
      );
      await call(cookies.full[role], "POST", `/api/invitations/${invited.id}/accept`, { code: invited.code });
      const key = { name: `Script of ${people[role].name}`, scopes: ["read:domains"], expiresAt: null };
      await call(cookies.full[role], "POST", "/api/api-keys", key);
      if (role === "viewer") await call(boss, "PUT", `${northwind}/members/${member.id}`, { role });
    }
    const invite = (email: string, role: Role) =>
      call<{ code: string }>(boss, "POST", `${northwind}/invitations`, { email, role });
    await invite("partner@northwind.test", "owner");
    const { code } = await invite("new@northwind.test", "viewer");
    for (const role of roles) {
      const cookie = await signIn(people[role]);
      await call(cookie, "PUT", "/api/auth/organization", { organization: String(harbour.id) });
      cookies.empty[role] = cookie;
    }
    const often = { checkInterval: 3600 };
    const shop = await call(boss, "POST", "/api/domains", {
      name: "Shop",
      url: target.url,
      tags: ["production"],
      ...often,
    });
    const broken = { name: "Checkout", url: "http://127.0.0.1:9/checkout", ...often };
    await call(boss, "POST", "/api/domains", broken);
    const paused = { name: "Staging", url: `${target.url}staging`, enabled: false, ...often };
    await call(boss, "POST", "/api/domains", paused);
    const protocolConfig = { host: "127.0.0.1", port: 9 };
    await call(boss, "POST", "/api/services", { name: "Gateway", protocol: "tcp", protocolConfig, ...often });
    const job = { name: "Nightly backup", protocol: "heartbeat", protocolConfig: {}, ...often };
    const backup = await call(boss, "POST", "/api/services", job);
    const added = await call<{ device: Named; token: string }>(boss, "POST", "/api/devices", {
      ...{ name: "Web 1", ...often },
    });
    const processes = listOf([processOf("nginx"), processOf("sshd")]);
    await agentWith(company, added.token)({ system, metrics, processes });
    const report = { title: "Payments are slow", monitorIds: [shop.id], severity: "high" };
    const incident = await call(boss, "POST", "/api/incidents", report);
    const window = await call(boss, "POST", "/api/maintenance", {
      title: "Move to the new rack",
      startsAt: "2031-03-02T01:00:00.000Z",
      duration: 3600,
      monitorIds: [shop.id],
    });
    const statusPage = await call<{ id: number }>(boss, "POST", "/api/status-pages", {
      ...{ name: "Northwind status", slug: "northwind" },
    });
    await call(boss, "POST", `/api/status-pages/${statusPage.id}/domains`, { domainId: shop.id });
    const template = await call(boss, "POST", "/api/status-pages/templates", {
      name: "Provider is down",
      texts: [{ language: "en", message: "We wait for a provider. {components}, since {since}." }],
    });
    // It receives no events of these tests; what it was sent is a test.
    const onCall = {
      name: "On call",
      type: "webhook",
      config: { url: target.url },
      events: ["monitor.stopped"],
    };
    const channel = await call(boss, "POST", "/api/notifications/channels", onCall);
    await call(boss, "POST", `/api/notifications/channels/${channel.id}/test`);
    providers = await startProviders();
    const instance = { name: "Platform", url: providers.url, apiKey: SECRETS.coolify };
    const account = await call(boss, "POST", "/api/coolify/instances", instance);
    await call(boss, "POST", "/api/deployments/webhooks", { name: "Storefront", provider: "github" });
    await call(boss, "POST", "/api/deployments", { name: "gateway", version: "v7" });
    await eventually(
      () => call<{ syncedAt: string | null }>(boss, "GET", `/api/coolify/instances/${account.id}`),
      ({ syncedAt }) => syncedAt !== null,
      30_000,
    );
    company.ids = {
      domain: shop.id,
      service: backup.id,
      device: added.device.id,
      incident: incident.id,
      window: window.id,
      statusPage: statusPage.id,
      template: template.id,
      channel: channel.id,
      account: account.id,
      invitation: code,
    };
    await eventually(
      () => call<{ down: number; up: number }>(boss, "GET", "/api/domains/stats"),
      ({ down, up }) => down === 1 && up === 1,
      30_000,
    );
  });
  afterAll(async () => {
    await target?.close();
    await providers?.close();
  });
  return company;
}
