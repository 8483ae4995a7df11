import { onTestFinished } from "vitest";
import { deliverOutbox } from "../../src/alerts/deliver.ts";
import { TRANSPORTS } from "../../src/app/jobs.ts";
import type { Config } from "../../src/platform/config.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { type MailServer, startMailServer } from "../harness/smtp.ts";
import type { EngineName } from "../harness/stores.ts";

export const PUBLIC_URL = "https://vedette.test";

export interface Mailing {
  server: TestServer;
  mail: MailServer;
  /** What the sender does each second: sends what is due now. */
  deliver(signal?: AbortSignal): Promise<void>;
  /** Lets the clock run on. */
  pass(ms: number): void;
  now(): number;
  outbox(): Promise<{ state: string; attempts: number; failure: string | null; content: string }[]>;
}

/** An API that sends by a mail server on this machine, and a clock of its own. `store`: one that the test closes. */
export async function startMailing(
  engine: EngineName,
  config: Partial<Config> = {},
  store?: Store,
): Promise<Mailing> {
  const mail = await startMailServer();
  let now = Date.UTC(2026, 10, 22, 12);
  const server = await startTestServer({
    engine,
    ...(store && { store }),
    clock: { now: () => now, wait: async () => {} },
    config: { smtp: mail.smtp, publicUrl: PUBLIC_URL, ...config },
  });
  onTestFinished(async () => {
    await server.close();
    await mail.stop();
  });
  return {
    server,
    mail,
    deliver: (signal = new AbortController().signal) => deliverOutbox(server.ctx, TRANSPORTS, signal),
    pass: (ms) => void (now += ms),
    now: () => now,
    outbox: () =>
      server.ctx.store.db
        .selectFrom("outbox")
        .select(["state", "attempts", "failure", "content"])
        .orderBy("id")
        .execute(),
  };
}

/** The first link of a text. */
export function linkIn(text: string): URL {
  const [link] = /https:\S+/.exec(text) ?? [];
  if (link === undefined) throw new Error(`no link in ${text}`);
  return new URL(link);
}

/** The token that a mail's link carries. */
export const tokenIn = (text: string): string => linkIn(text).hash.slice(1);
