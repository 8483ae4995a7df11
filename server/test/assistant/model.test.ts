import { describe, expect, onTestFinished, test } from "vitest";
import type { ModelError, ModelRequest } from "../../src/assistant/model/model.ts";
import { type StreamLimits } from "../../src/assistant/model/model.ts";
import { STREAM_LIMITS } from "../../src/assistant/model/post-stream.ts";
import { createModel, endpointOf } from "../../src/assistant/model/registry.ts";
import { type Answer, type Protocol, startFakeModel } from "./fake-model.ts";

const KEY = "sk-canary-3f1c";

async function start(
  protocol: Protocol,
  next: (index: number) => Answer,
  limits: Partial<StreamLimits> = {},
) {
  const server = await startFakeModel((_, index) => next(index));
  onTestFinished(server.close);
  const settings = { assistantUrl: server.url[protocol], assistantModel: "small-1", assistantKey: KEY };
  const model = createModel(settings, { ...STREAM_LIMITS, ...limits });
  const reported: string[] = [];
  const run = (request: Partial<ModelRequest> = {}, signal = new AbortController().signal) =>
    model?.complete(
      { system: "Be brief.", entries: [{ role: "user", text: "Why?" }], tools: [], ...request },
      { signal, reportProgress: (text) => void reported.push(text) },
    );
  const failure = async () => {
    const error = await run()?.then(
      () => null,
      (failed: unknown) => failed as ModelError,
    );
    return error?.is ?? error;
  };
  return { server, complete: run, reported, failure };
}

const TOOL = { name: "get_domain", description: "Get a domain.", parameters: { type: "object" } };

describe.each(["openai", "anthropic"] as const)("a model that speaks %s", (protocol) => {
  test("gives its text piece by piece, and gives it whole", async () => {
    const { complete: run, reported } = await start(protocol, () => ({
      text: ["The ", "shop is ", "slöw."],
    }));
    expect(await run()).toEqual({ text: "The shop is slöw.", calls: [], ended: "done" });
    expect(reported).toEqual(["The ", "shop is ", "slöw."]);
  });

  test("calls tools, whose arguments come in pieces, and gets their results", async () => {
    const { complete: run, server } = await start(protocol, (index) =>
      index === 0
        ? {
            text: ["I look."],
            calls: [
              { name: "get_domain", arguments: { id: "4" } },
              { name: "get_domain", arguments: {} },
            ],
          }
        : { text: ["It is up."] },
    );
    const first = await run({ tools: [TOOL] });
    expect(first).toMatchObject({
      ended: "calls",
      text: "I look.",
      calls: [
        { name: "get_domain", arguments: '{"id":"4"}' },
        { name: "get_domain", arguments: "{}" },
      ],
    });
    const calls = first?.calls ?? [];
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    const results = calls.map(({ id }, at) => ({ id, text: `result ${at}`, isError: at === 1 }));
    await run({
      tools: [TOOL],
      entries: [
        { role: "user", text: "Why?" },
        { role: "assistant", text: "I look.", calls },
        { role: "results", results },
      ],
    });
    expect(server.received[1]?.body).toMatchObject(
      protocol === "openai" ? openAiBody(calls) : anthropicBody(calls),
    );
  });

  test("is called with the key in the header that its protocol has for it, and by its name", async () => {
    const { complete: run, server } = await start(protocol, () => ({ text: ["Yes."] }));
    await run({ tools: [TOOL] });
    const [{ headers, path, body } = { headers: {}, path: "", body: {} }] = server.received;
    expect(body).toMatchObject({ model: "small-1", stream: true });
    if (protocol === "openai") {
      expect([path, headers["authorization"]]).toEqual(["/v1/chat/completions", `Bearer ${KEY}`]);
      expect(body.messages[0]).toEqual({ role: "system", content: "Be brief." });
      expect(body.tools).toEqual([{ type: "function", function: TOOL }]);
    } else {
      expect([path, headers["x-api-key"], headers["anthropic-version"]]).toEqual([
        "/v1/messages",
        KEY,
        "2023-06-01",
      ]);
      expect(body).toMatchObject({ system: "Be brief.", max_tokens: 4096 });
      expect(body.tools).toEqual([
        { name: "get_domain", description: "Get a domain.", input_schema: { type: "object" } },
      ]);
    }
  });

  test("says why it ended, where that was not that it was done", async () => {
    for (const [ended, expected] of [
      [["length", "max_tokens"], "length"],
      [["content_filter", "refusal"], "refused"],
    ] as const) {
      const { complete: run } = await start(protocol, () => ({ text: ["So"], ended: [...ended] }));
      expect((await run())?.ended).toBe(expected);
    }
  });

  test.each([
    [400, "rejected"],
    [401, "key"],
    [403, "key"],
    [404, "model"],
    [429, "busy"],
    [500, "failed"],
    [503, "busy"],
    [529, "busy"],
    [302, "garbled"],
    [204, "garbled"],
  ])("answers %s: that is told in our words, without a word of its own or the key", async (status, is) => {
    const body =
      status === 204 ? "" : JSON.stringify({ error: { message: `wrong key ${KEY}`, type: "bad" } });
    const headers: Record<string, string> = status === 302 ? { location: "http://127.0.0.1:1/" } : {};
    const { complete: ask } = await start(protocol, () => ({ status, body, headers }));
    const error = (await ask()?.catch((failed: unknown) => failed)) as ModelError;
    expect(error.is).toBe(is);
    expect(error.descriptor.code).toBe(`model.${is}`);
    expect(JSON.stringify([error.message, error.stack, error.cause ?? ""])).not.toMatch(/canary|wrong key/);
  });

  test("is called once more after the short pause that it requests, and not after a long one", async () => {
    const pause = (seconds: string) => ({ status: 429, headers: { "retry-after": seconds } });
    const short = await start(protocol, (index) => (index === 0 ? pause("0") : { text: ["Now."] }));
    expect((await short.complete())?.text).toBe("Now.");
    const long = await start(protocol, () => pause("60"));
    expect(await long.failure()).toBe("busy");
    expect(long.server.received).toHaveLength(1);
    const again = await start(protocol, () => pause("0"));
    expect(await again.failure()).toBe("busy");
    expect(again.server.received).toHaveLength(2);
  });

  test("breaks off in the middle of its text, or of a call", async () => {
    const inText = await start(protocol, () => ({ text: ["a", "b", "c", "d"], cut: true }));
    expect(await inText.failure()).toBe("cut");
    expect(inText.reported[0]).toBe("a");
    const inCall = await start(protocol, () => ({
      calls: [{ name: "get_domain", arguments: { id: "4" } }],
      cut: true,
    }));
    expect(await inCall.failure()).toBe("cut");
  });

  test("ends without having said why: an end that was not meant", async () => {
    const piece =
      protocol === "openai"
        ? { choices: [{ delta: { content: "So" } }] }
        : { type: "content_block_start", index: 0, content_block: { type: "text", text: "So" } };
    const { failure } = await start(protocol, () => ({ raw: `data: ${JSON.stringify(piece)}\n\n` }));
    expect(await failure()).toBe("cut");
  });

  test.each([
    ["no JSON", { raw: "data: {nonsense\n\n" }],
    ["JSON that is no event", { raw: "data: 7\n\ndata: null\n\n" }],
    ["a web page", { raw: "<html>Sign in</html>", type: "text/html" }],
    ["nothing", { raw: "" }],
    ["JSON in place of a stream that is none of its own", { raw: '{"hello":1}', type: "application/json" }],
    ["half of a JSON answer", { raw: '{"choices":[', type: "application/json" }],
  ])("answers %s", async (_, answer) => {
    const { failure } = await start(protocol, () => answer);
    expect(await failure()).toBe("garbled");
  });

  test("fails in the middle of a stream", async () => {
    const error = { error: { type: "overloaded_error", message: "no" } };
    const data = protocol === "openai" ? error : { type: "error", ...error };
    const { failure } = await start(protocol, () => ({
      raw: `event: error\ndata: ${JSON.stringify(data)}\n\n`,
    }));
    expect(await failure()).toBe("failed");
  });

  test("does not begin, or falls silent", async () => {
    const never = new Promise<never>(() => {});
    const server = await startFakeModel((_, index) =>
      index === 0 ? never : { text: ["a", "b"], until: never },
    );
    onTestFinished(server.close);
    const settings = { assistantUrl: server.url[protocol], assistantModel: "small-1", assistantKey: null };
    const model = createModel(settings, { ...STREAM_LIMITS, beginMs: 60, silenceMs: 60 });
    for (const pieces of [0, 2]) {
      const reported: string[] = [];
      const request = { system: "", entries: [{ role: "user", text: "?" }], tools: [] } as const;
      const completing = {
        signal: new AbortController().signal,
        reportProgress: (text: string) => void reported.push(text),
      };
      await expect(model?.complete(request, completing)).rejects.toMatchObject({ is: "slow" });
      expect(reported.length <= pieces).toBe(true);
    }
    await expect.poll(() => server.state.left).toBe(2);
  });

  test("says more than anybody would read", async () => {
    const { failure } = await start(protocol, () => ({ text: ["x".repeat(5_000)] }), { bytes: 4_000 });
    expect(await failure()).toBe("long");
  });

  test("calls more tools than anybody would have done at once", async () => {
    const calls = (count: number) =>
      start(protocol, () => ({
        calls: Array.from({ length: count }, () => ({ name: "get_domain", arguments: {} })),
      }));
    expect((await (await calls(64)).complete())?.calls).toHaveLength(64);
    expect(await (await calls(65)).failure()).toBe("long");
  });

  test("gives two calls one id: each is sent again under one of its own", async () => {
    const raw = protocol === "openai" ? twoOpenAiCalls("a") : twoAnthropicCalls("a");
    const { complete: run } = await start(protocol, () => ({ raw }));
    const calls = (await run())?.calls ?? [];
    expect(calls.map(({ name }) => name)).toEqual(["one", "two"]);
    expect(calls[0]?.id).toBe("a");
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  test("is not sent back a text without a word, which its provider refuses", async () => {
    const { complete: run, server } = await start(protocol, () => ({ text: ["Yes."] }));
    const calls = [{ id: "a", name: "get_domain", arguments: "{}" }];
    await run({
      entries: [
        { role: "user", text: "Why?" },
        { role: "assistant", text: "\n\n", calls },
        { role: "results", results: [{ id: "a", text: "up", isError: false }] },
      ],
    });
    const sent = server.received[0]?.body.messages.find(({ role }: { role: string }) => role === "assistant");
    expect(sent.content).toEqual(
      protocol === "openai" ? null : [{ type: "tool_use", id: "a", name: "get_domain", input: {} }],
    );
  });

  test("answers whole with parts that are none", async () => {
    const whole =
      protocol === "openai"
        ? { choices: [{ message: { content: "Hi", tool_calls: [null] }, finish_reason: "tool_calls" }] }
        : { content: [null, { type: "text", text: "Hi" }], stop_reason: "tool_use" };
    const { failure, reported } = await start(protocol, () => ({
      raw: JSON.stringify(whole),
      type: "application/json",
    }));
    expect(["garbled", "cut", "reply"]).toContain((await failure()) ?? "reply");
    expect(reported).toEqual(["Hi"]);
  });

  test("is aborted as soon as no one waits", async () => {
    const stop = new AbortController();
    const {
      complete: run,
      server,
      reported,
    } = await start(protocol, () => ({
      text: ["a", "b", "c"],
      until: new Promise(() => {}),
    }));
    const completing = run({}, stop.signal);
    await expect.poll(() => reported.length).toBeGreaterThan(0);
    stop.abort(new Error("enough"));
    await expect(completing).rejects.toThrow("enough");
    await expect.poll(() => server.state.left).toBe(1);
  });
});

const dataLines = (events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

const twoOpenAiCalls = (id: string) =>
  dataLines(
    ["one", "two"].map((name, index) => ({
      choices: [
        {
          delta: { tool_calls: [{ index, id, function: { name, arguments: "{}" } }] },
          finish_reason: "tool_calls",
        },
      ],
    })),
  );

const twoAnthropicCalls = (id: string) =>
  dataLines([
    ...["one", "two"].map((name, index) => ({
      ...{ type: "content_block_start", index },
      content_block: { type: "tool_use", id, name, input: {} },
    })),
    { type: "message_delta", delta: { stop_reason: "tool_use" } },
    { type: "message_stop" },
  ]);

const openAiBody = (calls: { id: string }[]) => ({
  messages: [
    {},
    { role: "user", content: "Why?" },
    { role: "assistant", content: "I look.", tool_calls: calls.map(({ id }) => ({ id, type: "function" })) },
    ...calls.map(({ id }, at) => ({ role: "tool", tool_call_id: id, content: `result ${at}` })),
  ],
});

const anthropicBody = (calls: { id: string }[]) => ({
  messages: [
    { role: "user", content: [{ type: "text", text: "Why?" }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: "I look." },
        { type: "tool_use", id: calls[0]?.id, input: { id: "4" } },
        { type: "tool_use", id: calls[1]?.id, input: {} },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: calls[0]?.id, content: "result 0" },
        { type: "tool_result", tool_use_id: calls[1]?.id, content: "result 1", is_error: true },
      ],
    },
  ],
});

describe("servers that take OpenAI's protocol their own way", () => {
  const whole = { choices: [{ message: { content: "Whole.", tool_calls: null }, finish_reason: "stop" }] };

  test("answer whole in place of a stream", async () => {
    const { complete: run, reported } = await start("openai", () => ({
      raw: JSON.stringify(whole),
      type: "application/json",
    }));
    expect(await run()).toEqual({ text: "Whole.", calls: [], ended: "done" });
    expect(reported).toEqual(["Whole."]);
  });

  test("number every call 0, give none an id, or say stop where tools are called", async () => {
    const call = (name: string, id?: string) => ({ index: 0, id, function: { name, arguments: "{}" } });
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`;
    const raw =
      chunk({ tool_calls: [call("one", "a")] }) +
      chunk({ tool_calls: [call("two", "b")] }) +
      chunk({}, "stop");
    const { complete: run } = await start("openai", () => ({ raw }));
    expect(await run()).toMatchObject({
      ended: "calls",
      calls: [
        { id: "a", name: "one" },
        { id: "b", name: "two" },
      ],
    });
    const nameless = await start("openai", () => ({
      raw: chunk({ tool_calls: [call("one")] }, "tool_calls"),
    }));
    expect((await nameless.complete())?.calls).toEqual([
      { id: expect.stringMatching(/^call_.{36}$/), name: "one", arguments: "{}" },
    ]);
  });
});

test("there is no listener", async () => {
  const settings = { assistantUrl: "http://127.0.0.1:1/v1", assistantModel: "m", assistantKey: KEY };
  const completing = createModel(settings)?.complete(
    { system: "", entries: [], tools: [] },
    { signal: new AbortController().signal, reportProgress: () => {} },
  );
  await expect(completing).rejects.toMatchObject({ is: "unreached" });
});

test("an address says which protocol it speaks", () => {
  const of = (address: string) => Object.values(endpointOf(address)).join(" ");
  expect(of("https://api.openai.com/v1")).toBe("openai https://api.openai.com/v1/chat/completions");
  expect(of("http://127.0.0.1:11434/v1/chat/completions")).toBe(
    "openai http://127.0.0.1:11434/v1/chat/completions",
  );
  expect(of("https://api.anthropic.com")).toBe("anthropic https://api.anthropic.com/v1/messages");
  expect(of("https://api.anthropic.com/v1")).toBe("anthropic https://api.anthropic.com/v1/messages");
  expect(of("http://gateway.example/claude/v1/messages")).toBe(
    "anthropic http://gateway.example/claude/v1/messages",
  );
  expect(of("https://anthropic.com.example/v1")).toBe(
    "openai https://anthropic.com.example/v1/chat/completions",
  );
});
