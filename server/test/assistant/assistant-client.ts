import { onTestFinished } from "vitest";
import { type Browser, openBrowser, signedIn } from "../accounts/browser.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../harness/server.ts";
import { type Answer, type Protocol, type ReceivedRequest, startFakeModel } from "./fake-model.ts";

export const KEY = "sk-canary-77ab";

// biome-ignore lint/suspicious/noExplicitAny: tests look into any shape
type Any = any;

export interface AssistantServer {
  server: TestServer;
  browser: Browser;
  model: Awaited<ReturnType<typeof startFakeModel>>;
  /** Prompts as whoever is signed in; gives every line of the answer, or the failure. */
  prompt(
    body: object,
    options?: PromptOptions,
  ): Promise<{ status: number; lines: Any[]; body: Any; result: Any }>;
  /** One request of the signed-in person. */
  send(method: string, path: string, body?: object): Promise<{ status: number; body: Any }>;
}

export interface PromptOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  path?: string;
  /** Gets each line as it comes. */
  onLine?(line: Any): void;
}

interface Options extends Partial<TestServerOptions> {
  protocol?: Protocol;
  next(received: ReceivedRequest, index: number): Answer | Promise<Answer>;
}

/** A server whose assistant a fake model answers, and somebody who is signed in. */
export async function startAssistant({
  protocol = "openai",
  next,
  ...options
}: Options): Promise<AssistantServer> {
  const model = await startFakeModel(next);
  onTestFinished(model.close);
  const config = {
    assistantUrl: model.url[protocol],
    assistantModel: "small-1",
    assistantKey: KEY,
    ...options.config,
  };
  const server = await startTestServer({ engine: "sqlite", ...options, config });
  onTestFinished(server.close);
  const { browser } = await signedIn(server);
  return { server, model, ...promptsOf(server, browser) };
}

/** The same for a browser at a server, such as after a restart. */
export function promptsOf(
  server: TestServer,
  browser: Browser,
): Pick<AssistantServer, "prompt" | "send" | "browser"> {
  return {
    browser,
    send: (method, path, body) => openBrowser(server, browser.cookie).send(method, path, body),
    async prompt(body, { signal, headers, path = "/api/chat/answers", onLine = () => {} } = {}) {
      const own = headers ?? { cookie: `vedette_session=${browser.cookie}`, origin: server.url };
      const answer = await fetch(server.url + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...own },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      });
      if (!(answer.headers.get("content-type") ?? "").includes("ndjson")) {
        return { status: answer.status, lines: [], body: await answer.json(), result: null };
      }
      const lines: Any[] = [];
      let rest = "";
      if (!answer.body) throw new Error("an answer without a body");
      for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
        const parts = (rest + piece).split("\n");
        rest = parts.pop() ?? "";
        for (const part of parts) {
          lines.push(JSON.parse(part));
          onLine(lines.at(-1));
        }
      }
      return { status: answer.status, lines, body: null, result: lines.at(-1)?.results };
    },
  };
}

/** What tools gave a model, newest last; `received`: one of its requests in OpenAI's words. */
export const resultsIn = ({ body }: ReceivedRequest): string[] =>
  body.messages.filter((one: Any) => one.role === "tool").map((one: Any) => one.content);
