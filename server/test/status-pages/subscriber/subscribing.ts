import { onTestFinished } from "vitest";
import { deliverOutbox } from "../../../src/alerts/deliver.ts";
import { TRANSPORTS } from "../../../src/app/jobs.ts";
import { followPages } from "../../../src/status-pages/subscriber/follow-pages.ts";
import { startTestServer, type TestServerOptions } from "../../harness/server.ts";
import { type ReceivedMail, startMailServer } from "../../harness/smtp.ts";
import { makeDomain } from "../../monitors/domains/factories.ts";
import { linkDomain, makePage, PAGES } from "../factories.ts";

const START = Date.parse("2026-11-23T09:30:20Z");
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
const PUBLIC_URL = "https://vedette.test";
const LINK = /https:\/\/vedette\.test(\/status\/(?:subscribe|subscribers|unsubscribe)\/[\w.-]+)/g;

/** A server that sends mail, with a page that shows two domains, and what goes on at it step by step. */
export async function startSubscribing({ config, ...options }: TestServerOptions) {
  let now = START;
  const mail = await startMailServer();
  onTestFinished(mail.stop);
  const server = await startTestServer({
    ...options,
    clock: { now: () => now },
    alone: true,
    config: { publicUrl: PUBLIC_URL, smtp: mail.smtp, signup: "closed", ...config },
  });
  onTestFinished(server.close);
  const page = await makePage(server, { name: "Example" });
  const domains = [
    await makeDomain(server, { name: "one" }),
    await makeDomain(server, { name: "two", url: "https://two.test" }),
  ];
  const [shop, database] = [
    await linkDomain(server, page, domains[0] as { id: number }),
    await linkDomain(server, page, domains[1] as { id: number }, { displayName: "Database" }),
  ];
  const follower = followPages(server.ctx);
  const deliver = () => deliverOutbox(server.ctx, TRANSPORTS, new AbortController().signal);
  return {
    ...{ server, mail, page, domains, shop, database, deliver },
    now: () => now,
    pass: (ms: number) => void (now += ms),
    look: follower.look,
    /** Looks at the pages, and delivers what that queued. */
    async notify() {
      await follower.look();
      await deliver();
    },
    /** Subscribes from the page's form. */
    subscribe: (fields: Record<string, string> | [string, string][], headers: Record<string, string> = {}) =>
      fetch(`${server.url}/status/${page.slug}/subscribe`, {
        ...{ method: "POST", headers: { accept: "text/html", ...headers } },
        body: new URLSearchParams(fields),
      }),
    /** What people see at a link. */
    visit: (path: string, init: RequestInit = {}) =>
      fetch(server.url + path, { headers: { accept: "text/html" }, ...init }),
    /** Reports an incident of the first domain, or of that one. */
    async report(title: string, domain = domains[0] as { id: number }) {
      const body = { title, description: "canary-description", monitorIds: [domain.id], impact: "major" };
      const answer = await server.api("POST", "/api/incidents", body);
      return answer.body.data as { id: number; uuid: string };
    },
    async post(incident: { id: number }, message: string, status = "identified") {
      const answer = await server.api("POST", `/api/incidents/${incident.id}/updates`, { message, status });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    },
    subscribers: async () => (await server.api("GET", `${PAGES}/${page.id}/subscribers`)).body.data,
  };
}

export type Subscribing = Awaited<ReturnType<typeof startSubscribing>>;

/** The addresses of our links in a mail, without the host. */
export const linksIn = ({ text }: ReceivedMail): string[] =>
  [...text.replaceAll(/=\r?\n/g, "").matchAll(LINK)].map(([, path]) => path as string);

/** Subscribes a person, who confirms it; what they were sent so far is forgotten. */
export async function subscribed(
  { subscribe, deliver, visit, look, mail }: Subscribing,
  address: string,
  more: [string, string][] = [],
): Promise<void> {
  await subscribe([["kind", "email"], ["address", address], ...more]);
  await deliver();
  const confirmation = mail.mails.findLast(({ to }) => to.includes(address));
  const [path = ""] = confirmation ? linksIn(confirmation) : [];
  const answer = await visit(path, { method: "POST" });
  if (answer.status !== 200) throw new Error(`${address}: ${answer.status}`);
  await look();
  mail.mails.splice(0);
}
