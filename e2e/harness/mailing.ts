import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { eventually } from "../../server/test/harness/eventually.ts";
import { startAtKnownPort, temporaryFolder } from "../../server/test/harness/process.ts";
import { type MailServer, startMailServer } from "../../server/test/harness/smtp.ts";
import { openPage } from "./browser.ts";
import { callApi, owner } from "./installation.ts";

export interface Mailing {
  page: Page;
  mail: MailServer;
  /** Where the installation is. */
  url: string;
}

/**
 * An installation that sends mail with links to itself, with `settings` of its environment besides, and a page where its owner is
 * signed in. `host`: what this machine is called in its address.
 */
export async function startMailing(
  settings: Record<string, string> = {},
  host = "127.0.0.1",
): Promise<Mailing> {
  const data = temporaryFolder();
  // Also where the start fails.
  onTestFinished(data.remove);
  const mail = await startMailServer();
  onTestFinished(async () => void (await mail.stop()));
  const urlAt = (port: string) => `http://${host}:${port}`;
  // Links in mail name the port before the server has it.
  const server = await startAtKnownPort(data.folder, (port) => ({
    VEDETTE_RATE_LIMITS: "off",
    VEDETTE_PUBLIC_URL: urlAt(port),
    SMTP_URL: mail.url,
    ...settings,
  }));
  onTestFinished(async () => void (await server.stop()));
  const url = urlAt(new URL(server.url).port);
  const page = await openPage(url);
  await page.goto("/");
  // At a public address it is required.
  const setupToken = /set-up#(\S+)/.exec(server.output.stdout)?.[1];
  await callApi(page, "POST", "/api/auth/setup", { ...owner, setupToken });
  return { page, mail, url };
}

/** The link of the next mail; what else came is forgotten. */
export async function nextLink(mail: MailServer): Promise<string> {
  const mails = await eventually(
    () => mail.mails,
    (all) => all.length > 0,
  );
  const [link] = /http:\S+/.exec(mails.splice(0)[0]?.text ?? "") ?? [];
  return link ?? "";
}
