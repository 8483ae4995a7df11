import { setTimeout } from "node:timers/promises";
import { ConfigError } from "../config-values.ts";
import type { Wiring } from "./wiring.ts";

/** Flags of commands that speak to a running server by its API. */
export interface ServerFlags {
  server: string;
  token?: string;
}

/** One request; the answer is not of a failure. */
export type Ask = (method: "GET" | "POST", path: string, body?: object) => Promise<Response>;

const MAX_WAIT_SECONDS = 60;

/** Requests to the server that the flags name. Throws ConfigError, with what the server says where it refuses. */
export function askServer({ environment }: Wiring, { server, token }: ServerFlags): Ask {
  const key = token ?? environment["VEDETTE_TOKEN"];
  if (!key) throw new ConfigError("An API key is needed: set VEDETTE_TOKEN, or use --token.");
  if (!URL.canParse(server))
    throw new ConfigError("--server takes an address such as https://vedette.example.com.");
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return async function ask(method, path, body): Promise<Response> {
    const url = new URL(path, server);
    const request = {
      method,
      headers,
      redirect: "manual",
      ...(body && { body: JSON.stringify(body) }),
    } as const;
    const response = await fetch(url, request).catch((error: Error) => {
      throw new ConfigError(`${url.origin} cannot be reached: ${causeOf(error)}`);
    });
    if (response.status !== 429) return await answered(response, url);
    const waitSeconds = Number(response.headers.get("retry-after")) || 1;
    await setTimeout(Math.min(waitSeconds, MAX_WAIT_SECONDS) * 1000);
    return ask(method, path, body);
  };
}

const causeOf = ({ cause, message }: Error): string =>
  cause instanceof Error ? cause.message || message : message;

async function answered(response: Response, url: URL): Promise<Response> {
  if (response.ok) return response;
  const told = (await response.json().catch(() => null)) as {
    message?: string;
    errors?: Record<string, string[]>;
  } | null;
  const errors = Object.values(told?.errors ?? {}).flat();
  throw new ConfigError(
    errors.length > 0
      ? errors.join(" ")
      : (told?.message ?? `${url.origin} answers ${response.status}: is it Vedette?`),
  );
}
